"""The words that recur in stored rows, in the order that packs best: what is most frequent, last.

Rule: what was written with a dictionary can only be read with it. A dictionary is never changed,
not by one character; a better one gets the next number (`core.store.packing`), beside this one.
"""

from typing import Final

# fmt: off
_ENGLISH: Final = (
    ' because  before  between  through  another  something  nothing  somebody  different  cust'
    'omer  system  service  database  support  information  interface  security  performance  m'
    'inutes  seconds  hours  weeks  months  number of  version  project  process  company  busi'
    'ness  problem  change  report  account  message  payment  order  request  result  status  '
    'update  delete  create  access  currently  already  automatically  available  possible  re'
    'quired  without  within  during  against  together  instead  everything  whether  should  '
    'must not  must be  needs to  want to  we have  we need  there is  there are  it is  is not'
    '  are not  do not  does not  has to  have to  could be  would be  can be  will be  may be '
    ' at least  at most  for the  from the  with the  with a  on the  of the  to the  in the  b'
    'y the  and the  that the  so that  as a  of a  in a  to be  they  their  them  which  when'
    '  where  who  what  than  only  also  after  about  more  most  each  every  other  same  '
    'team  people  users  data  page  time  day  file  list  name . The . We . It . If , but , '
    'and , so ion ing ed '
)
_STEPS: Final = (
    '01-scope-estimation.md","title":"Scope Estimation 02-keyword-search.md","title":"Keyword S'
    'earch 03-file-count.md","title":"File Count Estimation 01-business-context.md","title":"Bu'
    'siness Context Discovery 02-user-needs.md","title":"User Needs Discovery 03-ux-journey.md"'
    ',"title":"User Experience & Journeys 04-technical-context.md","title":"Technical Context 0'
    '5-quality-risk.md","title":"Quality & Risk Assessment 06-feature-definition.md","title":"C'
    'ore Feature Definition 07-user-stories.md","title":"User Story Writing 08-prioritization.m'
    'd","title":"MoSCoW Prioritization 01-blast-radius.md","title":"Blast Radius Assessment 02-'
    'entry-points.md","title":"Entry Point Identification 03-risk-zones.md","title":"Risk Zone '
    'Analysis 04-impact-summary.md","title":"Impact Summary & User Review 01-architecture-optio'
    'ns.md","title":"Architecture Options & Tradeoffs 02-technology-decisions.md","title":"Tech'
    'nology Decisions 03-integration-design.md","title":"Integration Architecture 04-architectu'
    're-review.md","title":"Architecture Review & Approval 01-module-design.md","title":"Module'
    ' Design & Boundaries 02-interface-contracts.md","title":"Interface Contracts 03-data-flow.'
    'md","title":"Data Flow & State Management 04-error-handling.md","title":"Error Handling & '
    'Validation 05-design-review.md","title":"Design Review & Approval 01-purpose.md","title":"'
    'Purpose & People 02-success.md","title":"Success & Scope 01-domain.md","title":"Domain & R'
    'ules 01-stack.md","title":"Technology Choices 01-architecture.md","title":"Parts & Connect'
    'ions 01-data-model.md","title":"Things & Their Data 01-test-strategy.md","title":"Test Str'
    'ategy 01-constitution.md","title":"Constitution 02-skills.md","title":"Skills 01-constitut'
    'ion-review.md","title":"Constitution Review 02-first-steps.md","title":"First Steps 01-que'
    'stions.md","title":"What It Is For 01-recommendation.md","title":"What to Build It With 01'
    '-designs.md","title":"How It Fits Together 01-articles.md","title":"Articles One by One 02'
    '-skills.md","title":"What the Plan Asks of Us 01-review.md","title":"Constitution & Archit'
    'ecture 02-next-steps.md","title":"Gaps, Rounds & Next Steps '
)
_FILES: Final = (
    'discovery-context.json tech-stack.md project-brief.md architecture-overview.md data-model.'
    'md test-strategy-outline.md constitution.md skills-report.md council-summary.md error-taxo'
    'nomy.md data-flow.md interface-spec.yaml module-design.md design-summary.md adr-001.md tec'
    'h-stack-decision.md integration-design.md architecture-decision.md impact-analysis.md trac'
    'eability-matrix.csv user-stories.json nfr-matrix.md quick-scan.md requirements-spec.md '
)
_SECTIONS: Final = (
    r'{\"rows\": [[\"FR-001\", \"\", \"must\", \"no story\", \"no requirement\", {\"stories\": ['
    r'{\"id\": \"US-001\", \"role\": \"\", \"want\": \"\", \"benefit\": \"\", \"acceptance_crite'
    r'ria\": [], \"priority\": null, \"requirements\": [], \"confidence\": \"stated\", \"sources'
    r'\": [{\"by\": \"\", \"permalink\": \"https://\"}]}], \"notes\": [{\"text\": \"\"}], What w'
    r'as said here stands at the end of this file.### Also said\n\n- | Id | Quality | Measure | '
    r'Source |\n|---|---|---|---|\n| NFR-001 | | Requirement | Priority | In the words of | Said'
    r' by |\n|---|---|---|---|\n| *(inferred)* | not said | not said | \n\n### Left open\n\n- No'
    r't answered: ? *(assumed)*\n- **FR-002** **US-001** **ADR-001** **NFR-001** - **FR-001** "b'
    r'ody":"---\n{\"excluded\": [], \"assumptions\": [\"- **:** Not answered: ? *(assumed)*\"], '
    r'\"questions\": [], \"voices\": [[\"someone\", \"\"], [\"https://.slack.com/archives/C0/p1'
    r'\"]], [\"\", \"\", \"R1\", \"], \"risks\": [], \"further\": [], \"files\": []}\n---\n\n-  '
    r'— said by someone ([message](https://.slack.com/archives/C0/p1))\n- '
)
_VALUES: Final = (
    '00-quick-scan 05-walkthrough 04-constitution 03-blueprint 02-stack-debate 01-vision-counci'
    'l 04-design 03-architecture 02-impact-analysis 01-requirements facilitator lead product-an'
    'alyst domain-researcher technical-scout constitution-writer skills-researcher system-desig'
    'ner solutions-architect business-analyst Recorded 1 point from someone; 1 question left op'
    'en, recorded as an assumption. Recorded 2 points from  recorded from someone; nobody has s'
    'aid ; no  is named. '
)
_ROWS: Final = (
    '"run":"","team":"T0","title":"","depth":"standard","withdrawn":true,"edited_ts":"","source'
    '":"elaboration","source":"edited","revision":2,"files":[{"name":"","permalink":"https://.s'
    'lack.com/files/U0"}],"code":"ERR-","message":"","visible":true,"told":[""],"turns":[[""]],'
    '"seat":"","round":1,"said":["want":"position","want":"answer","want":"remark","want":"chal'
    'lenge","want":"recommendation"{"contribution":{"persona":"product-analyst","want":"interpr'
    'etation","text":"{"phase":"01-requirements","files":[{"file":"01-.md","step_id":"01-01","s'
    'tep":{"id":"01-01","digest":""}},{"file":"02-{"file":{"file":"02-","step_id":"01-02","step'
    '":{"id":"01-02","digest":""}},"step":"01-02"}{"was":{"01-01":[]},"draft":{"recorded":"","q'
    'uestion":"","scan":{"scope":"small"}},"sections":["requirements-spec.md"]}"elsewhere":[["0'
    '1-06",{"was":{"01-02":[0,1,2]},"draft":{"recorded":"{"kind":"assumptions","choices":["righ'
    't","wrong"],"kind":"recovery","choices":["retry",{"kind":"prompt","choices":["skip-step","'
    'depth:brief","depth:standard","depth:deep","back","pause","cancel","confirm"],"phase":"02-'
    'impact-analysis","step":"02-01","state":"closed"}{"kind":"step","choices":["accept","revis'
    'e","amend","elaborate",{"kind":"step","choices":["continue","elaborate","skip"],"phase":"0'
    '1-requirements","step":"01-02","state":"used","used_by":"U0","chosen":"accept"}"chosen":"c'
    'ontinue"}{"menu":"m","choice":"accept","channel":"C0"}{"menu":"m","choice":"continue","cha'
    'nnel":"C0"}{"id":"01-01","phase":"01-requirements","file":"01-.md","title":" & ","digest":'
    '"","status":"skipped","skipped_by":"U0","status":"completed","persona":"business-analyst",'
    '"depth":"standard","revision":1,"asked":["What  is "],"gaps":["Who ?"],"gaps":["Which ?"],'
    '"gaps":["How ?"],"recorded":"Recorded 2 points from someone.","outcome":"accept","outcome"'
    ':"continue","chosen_by":"U0","basis":["C0:1.@1"]}{"task":"t","step":"01-01","basis":["C0:1'
    '.@1"]}{"step":"01-02"}{"file":"requirements-spec.md","step":"01-01","title":"","body":"[{"'
    'id":"01-01/1","step":"01-01","kind":"scope","kind":"requirement","kind":"quality","ref":"N'
    'FR-001","data":{"topic":""}},{"id":"01-02/3","step":"01-02","kind":"assumption","text":"No'
    't answered: ?","sources":[],"confidence":"assumed"}]"kind":"fact","text":".","sources":["C'
    '0:1."],"confidence":"inferred"},{"id":"01-01/2","step":"01-01","kind":"fact","text":"."]},'
    '{"id":"01-02/2","step":"01-02","kind":"{"channel":"C0","ts":"1.","thread_ts":"1."}{"id":"C'
    '0:1.","step":"01-01","by":"U0","text":".","ts":"1.","thread_ts":"1.","permalink":"https://'
    '.slack.com/archives/C0/p1"}'
)
# fmt: on

FIRST: Final = "".join((_ENGLISH, _STEPS, _FILES, _SECTIONS, _VALUES, _ROWS)).encode()
