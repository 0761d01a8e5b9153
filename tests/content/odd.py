"""What may stand in a step file, and should not: bytes, values, bombs and bodies."""

from hypothesis import strategies as st

from tests.support.step_trees import text_of

RAW = st.one_of(
    st.binary(max_size=300),
    st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.sampled_from(
        [
            b"",
            b"---",
            b"---\n",
            b"---\n---",
            b"---\n---\n",
            b"\xef\xbb\xbf" * 3 + text_of().encode(),
            b"\x00" * 1_000,
            b"\xff\xfe" + text_of().encode("utf-16-le"),
            text_of().encode("utf-32"),
            text_of().replace("\n", "\r\n").encode(),
            text_of().replace("\n", "\r").encode(),
            text_of().replace("\n", "\u2028").encode(),
            text_of().encode() + b"\x00\xc3",
            text_of().encode()[:-40] + b"\xed\xa0\x80",
            text_of(title='"a\\0b"').encode(),
            text_of(title='"a\\eb"').encode(),
            b"---\n" * 5_000,
            b"-" * 100_000,
            b"---" + b" " * 200_000 + b"\nx: 1\n---\n",
            b"---\nx: 1\n---" + b" " * 200_000 + b"x",
            b"---\nx: 1" + b"\n--- x" * 30_000,
            b"---\n" + b"#" * 100_000 + b"\n---\n",
        ]
    ),
)

# Values of the front matter, as they are written there. Lines of their own, to be read with ease.
NUMBERS = (
    *(
        "0",
        "-1",
        "007",
        "0o17",
        "0x1F",
        "1e3",
        ".inf",
        "-.inf",
        ".nan",
        "1.0",
        "1_000",
        "190:20:30",
    ),
    *("0x" + "f" * 5_000, "9" * 5_000, "0b" + "1" * 9_000, "1" + ":59" * 2_000, "1." + "0" * 5_000),
    *("12:30:45", "01-01", "2024-01-01", "2024-13-45", "2024-01-01T00:00:00Z", "0001-01-01"),
)
LISTS = (
    *("[]", "{}", "[[]]", "[null]", "[1, 2]", "[a.md, a.md]", "{a: 1}", "{1: 2}", "{[]: 1}"),
    *("{{}: 1}", "{? [1] : 2}", "[a, [b, [c]]]", "!!set {a, b}", "!!omap [a: 1]", "!!pairs [a: 1]"),
    *(
        "[../a.md]",
        "[/etc/passwd]",
        "[a/b.md]",
        "[meta.json]",
        '["CON:"]',
        '["a\\0.md"]',
        "[01-01]",
    ),
    *('["01-01"]', '["99-99"]', '["01-01", 1]', "{<<: {a: 1}}", "{<<: 1}", "{<<: [1]}", "{<<: *a}"),
)
TEXTS = (
    *('""', '" "', '"\\n"', '"a\\u0000b"', '"\\ud800"', '"\\U0001F642"', '"\\e[31m"'),
    *(
        "'%s{0}'",
        '"a\u2028b"',
        '"\u202egnp"',
        "x" * 5_000,
        '"' + "é" * 5_000 + '"',
        "|\n  a\n  b",
        ">-\n  a",
    ),
    *(
        "../a.md",
        "business-analyst",
        "brief",
        "Deep",
        "Why?",
        "scope == 'small'",
        "__import__('os')",
    ),
)
TAGS = (
    *(
        "!!python/object:os.system x",
        "!!python/object/apply:os.system ['true']",
        "!!python/name:os",
    ),
    *("!!python/module:os", "!!python/tuple [1]", "!!binary aGk=", "!!binary '%'", "!!bool x"),
    *("!!int ''", "!!float x", "!!timestamp x", "!!null x", "!!str [a]", "!!seq a", "!!map a"),
    *("!<tag:yaml.org,2002:python/object/new:os.system> [x]", "!x y", "&a [*a]", "&a {b: *a}"),
)
SIGNS = (
    *("", "null", "~", "true", "no", "*a", "&a x", "=", "<<", "@a", "`a`", "%a", "? a", "- a", "#"),
    *("[", "]", "{", "}", '"', "'", "a: b", "a: b: c", "a #b", "\t", "\ta", "a\tb", "..."),
)
ODD_VALUES = (*NUMBERS, *LISTS, *TEXTS, *TAGS, *SIGNS)


def bombs() -> dict[str, str]:
    """Front matter that would take all memory, all time, or the stack."""
    laughs = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    laughs += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 10)]
    merges = ["m0: &m0 {a: 1}"]
    merges += [f"m{n}: &m{n} {{<<: [*m{n - 1}, *m{n - 1}], b{n}: 1}}" for n in range(1, 40)]
    few = ["f0: &f0 " + "[x, x, x, x, x, x, x, x, x, x]"]
    few += [f"f{n}: &f{n} [{', '.join([f'*f{n - 1}'] * 2)}]" for n in range(1, 6)]
    return {
        "laughs": "\n".join(laughs),
        "merges": "\n".join(merges),
        "few aliases": "\n".join(few),
        "itself": "a: &a [*a, *a, *a]\nb: &b {c: *b}",
        "key itself": "&a {*a : 1}",
        "lists": "a: " + "[" * 7_000 + "]" * 7_000,
        "open lists": "a: " + "[" * 16_000,
        "maps": "a: " + "{a: " * 3_000 + "}" * 3_000,
        "dashes": "a:\n" + "- " * 8_000 + "x",
        "questions": "? " * 8_000 + "x",
        "colons": "a: " * 5_000,
        "indents": "\n".join(" " * n + "a:" for n in range(150)),
        "keys": "\n".join(f"k{n}: v" for n in range(2_000)),
        "same key": "a: 1\n" * 500,
        "long line": "a: " + "x" * 16_000,
        "too long": "a: " + "x" * 200_000,
        "quoted": 'a: "' + "\\n" * 8_000 + '"',
        "anchors": "\n".join(f"k{n}: &a{n} v" for n in range(300)),
        "tags": "a: " + "!!str " * 2_000 + "x",
        "documents": "a: 1\n... \n" * 1_500,
        "directives": "%YAML 1.1\n" * 1_500,
        "comments": "#" * 16_000,
        "blanks": " " * 16_000,
        "tabs": "\t" * 16_000,
        "float": "a: 1" + "_" * 15_000,
        "sexagesimal": "a: 1" + ":59" * 5_000 + ".5",
        "timestamp": "a: 2024-01-01" + " " * 15_000 + "1",
        "base 60": "a: " + "1:" * 7_000 + "1",
        "exponent": "a: 1.0e+" + "9" * 15_000,
        "hex": "a: 0x" + "f" * 15_000,
    }


HOSTILE_BODIES = {
    "blanks in a heading": "## Standard Mode" + " " * 100_000 + "x\n\nWhy?\n",
    "tabs and signs in a heading": "## a" + " \t#" * 40_000 + "x\n",
    "many headings": "## a\n" * 40_000,
    "many names": "".join(f"## {n}\nx\n" for n in range(20_000)),
    "fences": "```\n## a\n" * 20_000,
    "long fence": "`" * 100_000 + "\n## a\n" + "~" * 100_000,
    "signs": "#" * 200_000,
    "dots": "## Standard Mode\n\n1. " + "." * 100_000 + "x\n",
    "brackets": "## Standard Mode\n\n1. " + "{[<" * 40_000 + "\n",
    "underscores": "## Deep Mode\n\n1. a" + "_" * 100_000 + "\n",
    "questions": "## Standard Mode\n\n" + "".join(f"{n % 99}. Why {n}?\n" for n in range(4_000)),
    "marks": "## Standard Mode\n\n1. Why" + "?" * 100_000 + "x\n",
    "quotes": "## Standard Mode\n\n1. Why?" + "'" * 100_000 + "x\n",
    "vowels": "## Brief Mode\n\n" + "ae" * 100_000 + "\n",
    "line ends": "## Brief Mode\n\na" + "\n" * 200_000 + "b\n",
    "blank lines": "## Brief Mode\n\na" + "\n \t" * 20_000 + "b\n",
    "list signs": "## Validation\n\n" + "- " * 100_000 + "\n",
    "short lines": "## Artifacts\n\n" + "- `a` · section \"b\n" * 4_000,
    "nul": "## Standard Mode\n\n" + "\x00" * 100_000 + "\n",
}  # fmt: skip
