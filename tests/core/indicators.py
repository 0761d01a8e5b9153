"""What the two documents say of errors, written down from them and not from the tables.

"Error Classification" has categories, "Error Taxonomy: Classification and Handling" has the four
ways. Sentences are cut at `|` and at line ends, words at commas.
"""

from collections.abc import Mapping

from core.taxonomy.catalogue import Category, Handling

CATEGORY_SAID: Mapping[Category, str] = {
    "prerequisite_failure": """
        No such file or directory | Permission denied (insufficient access) | Connection refused
        Module not found | ImportError | Tool/command not found in PATH | command not found: uv
        Environment variable not set | Environment variable missing | File path doesn't exist
        environment variable DATABASE_URL not set | Environment variable DATABASE_URL is not set
        EISDIR Is a directory: 'CLAUDE.md' | ENOTDIR Not a directory | Network failure
        single packet loss | Network glitch | File locked temporarily | Resource contention
        External dependency unavailable | Directory structure different than expected
        Error: File not found - CLAUDE.md referenced in plan | service restart | network blip
        Missing file | wrong path | missing dependency""",
    "execution_error": """
        Command exits with non-zero status | Script returns non-zero exit code | Linting errors
        Test assertions fail | Test suite failure | Build compilation error | Compilation error
        Git operations fail (merge conflict) | push rejected | Lint/format violations
        Logic error in script
        Script error output on stderr | Timeout | write conflict | flaky test | design flaw""",
    "unexpected_result": """
        File created but wrong format | wrong structure
        Output present but missing expected sections
        Analysis missing required sections | Counts don't match (expected 5 items, got 3)
        File size out of expected range | Output size doesn't match expected range
        Content validation check fails (format, encoding) | Validation criteria not met
        expected 5 items, got 3 | expected at least 5 rows but got 3
        Content check finds missing data | Stale cache | race condition
        Wrong algorithm | spec mismatch""",
    "inter_agent_misalignment": """
        Agent output contradicts explicit instruction in prompt
        Vet confabulation (inventing issues)
        Verification reveals drift from design spec | Vet report contains fabricated fix claims
        Agent skips steps or terminates before completing scope | Skipping steps
        Reasoning traces show correct analysis but action diverges | Reasoning-action mismatch
        Review catches issues not present in source material | Review catches fabricated claims
        Over-escalation (pattern-matching not design) | Premature termination | model limitation
        Incomplete verification | Context window overflow | contradictory instructions""",
    "ambiguity_error": """
        Multiple valid interpretations of instructions | Conflicting requirements in plan
        Unclear success criteria | Step instructions unclear | Conflicting instructions in plan
        Unknown recovery protocol | Plan silent on error handling for this condition
        Multiple valid approaches exist | Plan doesn't specify preference | insufficient spec""",
}
HANDLING_SAID: Mapping[Handling, str] = {
    "fatal": """
        secrets_detected in diff or output | data_integrity_check failed | invariant_violated
        Secrets exposure | API key in diff | password in log | Data corruption | corrupted file
        Incomplete transaction | Security breach | Unauthorized access attempt | injection detected
        Invariant violation | Core assumption broken | state machine invalid | Boundary violation
        Force push to protected | secrets in commit""",
    "permanent": """
        ValidationError | malformed JSON | missing required field | Missing dependency
        Invalid input
        ModuleNotFoundError | FileNotFoundError | Permission denied | EACCES | Resource not found
        KeyError | Configuration error | Invalid API key format | malformed YAML | unauthorized""",
    "retriable": """
        flaky | intermittent | race | Flaky test | Transient lint | Race condition in linter
        Network glitch | Single packet loss | Resource race | File locked temporarily""",
    "transient": """
        timeout | timed out | connection refused | rate limit | Network failure | ConnectionError
        TimeoutError | ETIMEDOUT | Rate limiting | RateLimitExceeded | quota_exceeded | EBUSY
        Service unavailable | ServiceUnavailable | Resource contention
        ResourceTemporarilyUnavailable""",
}
CATEGORY_WORDS: Mapping[Category, str] = {
    "prerequisite_failure": """
        no such file, enoent, missing file, wrong path, permission denied, eacces, unauthorized,
        forbidden, access denied, connection refused, econnrefused, connection reset,
        connection error, service unavailable, dependency unavailable,
        resource temporarily unavailable, ebusy, resource contention, network failure, network blip,
        network glitch, service restart, module not found, import error, command not found,
        not found in path, environment variable … not set, environment variable … missing,
        environment variable … unset, missing environment variable, not found, does not exist,
        doesn't exist, missing dependency, structure different than expected, is a directory,
        eisdir, not a directory, enotdir, packet loss, file locked, file is locked,
        locked temporarily, incomplete message, incomplete read,
        incomplete chunked read, server disconnected, peer closed connection, overloaded error,
        insufficient quota""",
    "execution_error": """
        timeout, timed out, etimedout, write conflict, flaky, intermittent, intermittently,
        assertion failed, assertions failed, assertion error, assertions fail, test failed,
        tests failed, test failure, test fail, test suite failure, compilation error, compile error,
        compilation failed, build failed, syntax error, merge conflict, push rejected,
        rejected push, lint, linter, linting, lint error, format violation, formatting violation,
        logic error, design flaw, stderr, script error, rate limit, rate limited, rate limiting,
        ratelimited, quota exceeded, too many requests, invariant violated, invariant violation,
        core assumption broken, non-zero exit, non-zero status, nonzero exit""",
    "unexpected_result": """
        validation error, validation failed, validation fails, validation check fails,
        validation check failed, criteria not met, invalid, malformed, encoding error,
        decode error, spec mismatch, wrong algorithm, wrong format, wrong structure,
        unexpected format, missing section, missing expected section, missing required section,
        missing required field, missing data, counts don't match, count mismatch, expected … got,
        counts do not match, out of expected range, match expected range, stale cache, stale, race,
        secret detected, secrets detected, secrets exposure, secret exposed, secret exposure,
        secrets in commit, api key in diff, password in log, data corruption, corrupted file,
        incomplete transaction""",
    "inter_agent_misalignment": """
        contradicts, contradict, contradictory instruction, drift, drifted, fabricated, fabricates,
        fabrication, skipped step, skips step, skipping step, skipped a step,
        premature termination, terminated prematurely, terminates before, terminated before,
        incomplete verification, diverges, diverged, reasoning-action mismatch, over-escalation,
        model limitation, confabulation, confabulated, not present in source,
        not in the source material, context window, context overflow, context length,
        context limit, boundary violation, injection detected, unauthorized access attempt""",
    "ambiguity_error": """
        multiple valid interpretation, multiple interpretation, multiple valid approaches,
        ambiguous, ambiguity, conflicting requirement, conflicting instruction,
        mutually exclusive, unclear, insufficient spec, unknown recovery protocol, plan silent,
        plan is silent, plan doesn't specify, plan does not specify""",
}
RETRIED_WORDS: Mapping[Category, str] = {
    "prerequisite_failure": """
        connection refused, econnrefused, connection reset, connection error, service unavailable,
        resource temporarily unavailable, ebusy, resource contention, service restart, restarting,
        packet loss, file locked, file is locked, locked temporarily,
        network, timeout, timed out,
        incomplete message, incomplete read, incomplete chunked read, server disconnected,
        peer closed connection, overloaded error""",
    "execution_error": """
        timeout, timed out, etimedout, write conflict, flaky, intermittent, intermittently,
        rate limit, rate limited, rate limiting, ratelimited, quota exceeded, too many requests,
        transient lint, race""",
    "unexpected_result": "stale cache, stale, race",
    "ambiguity_error": "",
    "inter_agent_misalignment": "context window, context overflow, context length, context limit",
}
NEVER_RETRIED_WORDS: Mapping[Category, str] = {
    "prerequisite_failure": """
        no such file, enoent, missing file, wrong path, not found, does not exist, doesn't exist,
        missing dependency, import error, insufficient quota""",
    "execution_error": "compilation error, compile error, syntax error, design flaw, logic error",
    "unexpected_result": "wrong algorithm, spec mismatch",
    "ambiguity_error": "",
    "inter_agent_misalignment": "model limitation, contradictory instruction",
}
HANDLING_WORDS: Mapping[Handling, str] = {
    "fatal": """
        secret detected, secrets detected, secrets exposure, secret exposed, secret exposure,
        secrets in commit, api key in diff, password in log, data corruption, corrupted file,
        incomplete transaction, data integrity check failed, integrity check failed,
        security breach, unauthorized access attempt, injection detected, invariant violated,
        invariant violation, state machine invalid, core assumption broken, boundary violation,
        force push to protected""",
    "permanent": """
        invalid, not found, permission denied, unauthorized, validation error, malformed,
        missing required field, missing dependency, no such file, enoent, eacces, forbidden,
        key error, configuration error, insufficient quota""",
    "retriable": """
        flaky, intermittent, intermittently, race, packet loss, file locked, file is locked,
        locked temporarily, network glitch, network blip, transient lint, write conflict,
        stale cache, stale, context window, context overflow, context length, context limit""",
    "transient": """
        timeout, timed out, connection refused, rate limit, rate limited, rate limiting,
        connection error, connection reset, econnrefused, etimedout, ratelimited, quota exceeded,
        service unavailable, ebusy, resource temporarily unavailable, resource contention,
        network failure, service restart, restarting,
        incomplete message, incomplete read, incomplete chunked read, server disconnected,
        peer closed connection, overloaded error""",
}
# Both documents agree on these: trying again may help.
RETRYABLE_SAID: Mapping[Category, str] = {
    "prerequisite_failure": """
        service restart | the service is being restarted: service restart | network blip
        Connection refused | ConnectionError | Network failure | Service unavailable | EBUSY
        ServiceUnavailable | ResourceTemporarilyUnavailable | Resource contention | Network glitch
        Single packet loss | File locked temporarily | the file is locked""",
    "execution_error": """
        Timeout | TimeoutError | ETIMEDOUT | timed out | write conflict | flaky test | flaky
        intermittent | Rate limiting | RateLimitExceeded | quota_exceeded | Transient lint
        Race condition in linter""",
    "unexpected_result": "Stale cache | race condition | Resource race",
    "inter_agent_misalignment": "Context window overflow | context overflow",
}
# And on these: it does not.
LASTING_SAID: Mapping[Category, str] = {
    "prerequisite_failure": """
        Missing file | wrong path | missing dependency | No such file or directory
        Permission denied | Module not found | ModuleNotFoundError | FileNotFoundError
        ImportError | EACCES
        Tool/command not found in PATH | Environment variable not set | Resource not found
        environment variable DATABASE_URL not set | Directory structure different than expected""",
    "execution_error": """
        Compilation error | design flaw | logic error | Git operations fail (merge conflict)
        push rejected | Test assertions fail | Lint/format violations
        Script error output on stderr""",
    "unexpected_result": """
        Wrong algorithm | spec mismatch | expected 5 items, got 3 | ValidationError | malformed JSON
        Counts don't match (expected 5 items, got 3) | wrong format | Invalid API key format
        missing required field | Output present but missing expected sections
        File size out of expected range | malformed YAML""",
    "inter_agent_misalignment": """
        model limitation | contradictory instructions | Vet confabulation (inventing issues)
        Skipping steps | Premature termination | Incomplete verification""",
    "ambiguity_error": """
        insufficient spec | Multiple valid interpretations of instructions
        Conflicting requirements in plan | Unclear success criteria | Unknown recovery protocol
        Plan silent on error handling for this condition""",
}
# A human has to set these right; another way, where there is one, comes first.
SETTINGS_SAID = """
    Configuration error | Invalid API key format | malformed YAML | Permission denied | EACCES
    unauthorized | KeyError on required config | environment variable DATABASE_URL not set
    insufficient_quota
"""
EXIT_CODES: Mapping[int, tuple[Category, bool, Handling]] = {
    1: ("execution_error", False, "permanent"),
    124: ("execution_error", True, "transient"),
    127: ("prerequisite_failure", False, "permanent"),
    137: ("execution_error", True, "transient"),
}
STATUSES: Mapping[int, tuple[Category, bool, Handling]] = {
    400: ("execution_error", False, "permanent"),
    401: ("prerequisite_failure", False, "permanent"),
    403: ("prerequisite_failure", False, "permanent"),
    404: ("prerequisite_failure", False, "permanent"),
    408: ("execution_error", True, "transient"),
    422: ("execution_error", False, "permanent"),
    429: ("execution_error", True, "transient"),
    500: ("execution_error", True, "transient"),
    502: ("prerequisite_failure", True, "transient"),
    503: ("prerequisite_failure", True, "transient"),
    504: ("prerequisite_failure", True, "transient"),
    529: ("prerequisite_failure", True, "transient"),
}
VIOLATIONS: Mapping[Category, str] = {
    "unexpected_result": """
        secret, credential, password, api key, token, secrets exposure, data, corruption,
        corrupted, corrupt, integrity""",
    "execution_error": "invariant, state machine, assumption",
    "inter_agent_misalignment": "security, breach, injection, unauthorized, force push",
}
PATTERNS = """
    No such file or directory | Permission denied (insufficient access)
    Connection refused (external service unavailable) | Module not found or ImportError
    Tool/command not found in PATH | Environment variable not set
    Command exits with non-zero status | Test assertions fail | Build compilation error
    Git operations fail (merge conflict, push rejected) | Lint/format violations
    Script error output on stderr | File created but wrong format/structure
    Output present but missing expected sections | Counts don't match (expected 5 items, got 3)
    File size out of expected range | Content validation check fails (format, encoding)
    Agent output contradicts explicit instruction in prompt
    Verification reveals drift from design spec | Vet report contains fabricated fix claims
    Agent skips steps or terminates before completing scope
    Reasoning traces show correct analysis but action diverges
    Review catches issues not present in source material (confabulation)
    Multiple valid interpretations of instructions | Conflicting requirements in plan
    Unclear success criteria | Unknown recovery protocol
    Plan silent on error handling for this condition
"""
SOURCES = {
    "Error Classification, Common Patterns by Category: ": PATTERNS,
    "Error Classification, Error Category Taxonomy: ": """
        File I/O fails with “not found” | Logic error in script
        Directory structure different than expected
        Resources or assumptions referenced in plan don't exist
        Script or command fails during normal operation""",
    "Error Classification, Retryable vs Non-Retryable: ": """
        Timeout | write conflict | flaky test | Stale cache, race condition
        Context window overflow (retry with less context) | Wrong algorithm, spec mismatch
        Missing file, wrong path, missing dependency | Compilation error, design flaw, logic error
        Transient env issue (service restart, network blip) | Always: insufficient spec
        Systematic: model limitation, contradictory instructions | Retryable""",
    "Error Taxonomy: Classification and Handling, Fatal: ": """
        secrets_detected in diff or output | data_integrity_check failed | invariant_violated
        security_scan.critical > 0 | boundary_violation_type is not null""",
    "Error Taxonomy: Classification and Handling, Permanent: ": """
        http_status in [400, 401, 403, 404, 422] | validation_errors is not empty
        error_message matches /invalid|not found|permission denied|unauthorized/i
        ValidationError, malformed JSON, missing required field, EACCES, KeyError, …
        ESCALATE if configuration issue, unless another way exists""",
    "Error Taxonomy: Classification and Handling, Retriable: ": """
        test_failure AND same_test_passed_recently | lint_error AND previous_run_clean
        error_message matches /flaky|intermittent|race/i
        Single packet loss, File locked temporarily""",
    "Error Taxonomy: Classification and Handling, Transient: ": """
        exit_code in [124, 137] | http_status in [408, 429, 500, 502, 503, 504]
        error_message matches /timeout|timed out|connection refused|rate limit/i
        ConnectionError, ETIMEDOUT, quota_exceeded, ServiceUnavailable, EBUSY, …""",
    "Error Taxonomy: Classification and Handling, ": """
        The Rule: When in doubt, advance with documented concerns""",
    "Error Taxonomy: Classification and Handling, Routing Integration: ": """
        Fatal, always | Permanent, missing input | Permanent, fixable by agent
        Permanent, human decision needed (configuration issue)
        Permanent, otherwise with its concern documented | Retriable, advance with warning
        Retriable, attempts < 3 and not the same signature twice | Retriable, if critical path
        Retriable, signature matches known fix | Transient, attempts < max
        Transient, alternative path exists | Transient, retries exhausted""",
    "Roundtable: ": """
        a service that answers, but not now | as ERR-DATA-002
        as ERR-SEC-001 and ERR-DATA-001 | as ERR-SEC-002
        as retriable in the other table | an incomplete message, as RFC 9112 has it
        529 and overloaded_error, as Anthropic's API has them
        insufficient_quota, as OpenAI's API has it beside 429""",
}
