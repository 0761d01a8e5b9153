BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0004');
CREATE TABLE answers (
	session VARCHAR NOT NULL, 
	id VARCHAR NOT NULL, 
	revision INTEGER NOT NULL, 
	step VARCHAR NOT NULL, 
	current INTEGER NOT NULL, 
	ts VARCHAR NOT NULL, 
	doc VARCHAR NOT NULL, 
	PRIMARY KEY (session, id, revision)
)
 WITHOUT ROWID

;
INSERT INTO "answers" VALUES('s1','C1:1800000000.000005',1,'01-01',1,'1800000000.000005','{"id":"C1:1800000000.000005","step":"01-01","by":"UPM","text":"Because of the bank.","ts":"1800000000.000005","thread_ts":"1800000000.000002","permalink":"https://p/1800000000.000005"}');
CREATE TABLE baselines (
	session VARCHAR NOT NULL, 
	phase VARCHAR NOT NULL, 
	doc VARCHAR NOT NULL, 
	PRIMARY KEY (session, phase)
);
CREATE TABLE claims (
	session VARCHAR NOT NULL, 
	step VARCHAR NOT NULL, 
	place INTEGER NOT NULL, 
	doc VARCHAR NOT NULL, 
	PRIMARY KEY (session, step, place)
);
INSERT INTO "claims" VALUES('s1','01-01',0,'{"id":"01-01/1","step":"01-01","kind":"fact","text":"Because of the bank.","sources":["C1:1800000000.000005"],"data":{"topic":"problem"}}');
CREATE TABLE contents (
	digest VARCHAR NOT NULL, 
	kind VARCHAR NOT NULL, 
	doc VARCHAR NOT NULL, 
	PRIMARY KEY (digest)
);
INSERT INTO "contents" VALUES('conditions:c1d66078','conditions','{"deadline_s":5.0}');
INSERT INTO "contents" VALUES('347ed84f2cd0f167fb5c1e667450e14ad6e6759d7e78ee53dd23d6777744ad45','agent','[{"key":"business-analyst","name":"Maya Chen","role":"Business Analyst","icon":":bar_chart:","identity":"Sees both sides.","style":"Warm.","principles":["One.","Two.","Three."]},{"key":"solutions-architect","name":"Alex Rivera","role":"Solutions Architect","icon":":scales:","identity":"Names the price.","style":"Calm.","principles":["One.","Two.","Three."]}]');
INSERT INTO "contents" VALUES('e5e4ab87ed82647b66732c7261a32ed29da7de7b3dbf8dd29401324b8a691fd0','step','{"id":"01-01","title":"First","persona":"business-analyst","depth":"standard","outputs":["requirements-spec.md"],"file":"01-a.md","phase":"01-requirements","digest":"e5e4ab87ed82647b66732c7261a32ed29da7de7b3dbf8dd29401324b8a691fd0","body":"\n## Brief Mode\n\nA draft.\n\n## Standard Mode\n\n1. Why?\n\n## Deep Mode\n\n1. Why not?\n\n## Validation\n\n- A reason.\n\n## Artifacts\n\n- `requirements-spec.md`\n","sections":{"Brief Mode":"A draft.","Standard Mode":"1. Why?","Deep Mode":"1. Why not?","Validation":"- A reason.","Artifacts":"- `requirements-spec.md`"}}');
INSERT INTO "contents" VALUES('cc1fe3a7c696e61615a15c4af96357ae0dbd2143cce0f60361e005c745f21a91','step','{"id":"01-02","title":"Second","persona":"business-analyst","depth":"standard","outputs":["requirements-spec.md"],"file":"02-b.md","phase":"01-requirements","digest":"cc1fe3a7c696e61615a15c4af96357ae0dbd2143cce0f60361e005c745f21a91","body":"\n## Brief Mode\n\nA draft.\n\n## Standard Mode\n\n1. Why?\n\n## Deep Mode\n\n1. Why not?\n\n## Validation\n\n- A reason.\n\n## Artifacts\n\n- `requirements-spec.md`\n","sections":{"Brief Mode":"A draft.","Standard Mode":"1. Why?","Deep Mode":"1. Why not?","Validation":"- A reason.","Artifacts":"- `requirements-spec.md`"}}');
CREATE TABLE contributions (
	session VARCHAR NOT NULL, 
	phase VARCHAR NOT NULL, 
	place INTEGER NOT NULL, 
	doc VARCHAR NOT NULL, 
	PRIMARY KEY (session, phase, place)
);
CREATE TABLE deliveries (
	"key" VARCHAR NOT NULL, 
	at FLOAT NOT NULL, 
	PRIMARY KEY ("key")
)
 WITHOUT ROWID

;
INSERT INTO "deliveries" VALUES('msg:T1:C1:1800000000.000005',1800000000.0);
CREATE TABLE faults (
	id VARCHAR NOT NULL, 
	session VARCHAR NOT NULL, 
	place INTEGER NOT NULL, 
	code VARCHAR NOT NULL, 
	at FLOAT NOT NULL, 
	doc VARCHAR NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "faults" VALUES('fa9d2dbd82043897817a6363','s1',1,'ERR-DEPTH-001',1800000000.0,'{"id":"fa9d2dbd82043897817a6363","code":"ERR-DEPTH-001","message":"Quick-scan data unavailable","visible":false,"at":1800000000.0,"phase":"01-requirements","agent":"business-analyst","run":"r-s1"}');
CREATE TABLE journal (
	session VARCHAR NOT NULL, 
	place INTEGER NOT NULL, 
	at FLOAT NOT NULL, 
	kind VARCHAR NOT NULL, 
	"by" VARCHAR, 
	doc VARCHAR NOT NULL, rest VARCHAR, came VARCHAR, 
	PRIMARY KEY (session, place)
)
 WITHOUT ROWID

;
INSERT INTO "journal" VALUES('s1',1,1800000000.0,'SessionRequested','UPM','{"by":"UPM","at":1800000000.0,"session":"s1","run":"r-s1","team":"T1","channel":"C1","title":"Export dashboard as PDF"}',NULL,'2c5c1fe5 c1d66078 OpenFlow');
INSERT INTO "journal" VALUES('s1',2,1800000000.0,'FlowOpened',NULL,'{"at":1800000000.0,"agent":"347ed84f2cd0f167fb5c1e667450e14ad6e6759d7e78ee53dd23d6777744ad45","phases":[[{"key":"01-requirements","label":"Requirements","persona":"business-analyst"},2],[{"key":"02-impact","label":"Impact Analysis","persona":"solutions-architect"},1]],"folder":{"state":"new"},"preflight":[{"what":"step tree","method":"list its folders","ok":true,"found":"3 step files"},{"what":"agent file","method":"read and parse it","ok":true},{"what":"folder","method":"write a file and remove it","ok":true},{"what":"brain","method":"load it","ok":true,"found":"scripted"},{"what":"database","method":"save this line","ok":true},{"what":"channel","method":"post the card","ok":true,"found":"the next thing that is done"}]}',NULL,'868d6ef7 c1d66078 PostCard');
INSERT INTO "journal" VALUES('s1',3,1800000000.0,'CardPosted',NULL,'{"at":1800000000.0}',NULL,'f4f19446 c1d66078 WriteFolder OpenPhase PaintCard');
INSERT INTO "journal" VALUES('s1',4,1800000000.0,'PhaseOpened',NULL,'{"at":1800000000.0,"phase":"01-requirements","files":[{"file":"01-a.md","step_id":"01-01","step":{"id":"01-01","digest":"e5e4ab87ed82647b66732c7261a32ed29da7de7b3dbf8dd29401324b8a691fd0"}},{"file":"02-b.md","step_id":"01-02","step":{"id":"01-02","digest":"cc1fe3a7c696e61615a15c4af96357ae0dbd2143cce0f60361e005c745f21a91"}}]}',NULL,'80fdebce c1d66078 OpenStep PaintCard');
INSERT INTO "journal" VALUES('s1',5,1800000000.0,'StepOpened',NULL,'{"at":1800000000.0,"file":{"file":"01-a.md","step_id":"01-01","step":{"id":"01-01","digest":"e5e4ab87ed82647b66732c7261a32ed29da7de7b3dbf8dd29401324b8a691fd0"}},"step":"01-01"}',NULL,'e8a9c52d c1d66078 OpenThread Greet PostPrompt PaintCard');
INSERT INTO "journal" VALUES('s1',6,1800000000.0,'MessagePosted','UPM','{"by":"UPM","at":1800000000.0,"channel":"C1","ts":"1800000000.000005","thread_ts":"1800000000.000002"}',NULL,'e11e1f85 c1d66078 PaintCard ReadAnswers Mark');
INSERT INTO "journal" VALUES('s1',7,1800000000.0,'BrainReplied',NULL,'{"at":1800000000.0,"task":"t7bf7d06964d9808de35f7a2","step":"01-01","basis":["C1:1800000000.000005@1"]}','{"was":{"01-01":[]},"draft":{"recorded":"Recorded 1 point from Priya; nobody has said who benefits.","question":"Who benefits from this?"},"sections":["requirements-spec.md"]}','088e0c4c c1d66078 WriteFolder PaintCard');
INSERT INTO "journal" VALUES('s1',8,1800000000.0,'FolderWritten',NULL,'{"at":1800000000.0,"step":"01-01"}',NULL,'576fb791 c1d66078 ShowStep PaintCard');
CREATE TABLE menus (
	id VARCHAR NOT NULL, 
	session VARCHAR NOT NULL, 
	state VARCHAR NOT NULL, 
	doc VARCHAR NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "menus" VALUES('m262a6e76e44f2b85a3854e3','s1','open','{"id":"m262a6e76e44f2b85a3854e3","session":"s1","kind":"prompt","choices":["skip-step","depth:brief","depth:standard","depth:deep","back","pause","cancel","confirm"],"phase":"01-requirements","step":"01-01"}');
INSERT INTO "menus" VALUES('md98bfe978b224e8481ce2bd','s1','open','{"id":"md98bfe978b224e8481ce2bd","session":"s1","kind":"step","choices":["continue","elaborate","skip"],"phase":"01-requirements","step":"01-01"}');
CREATE TABLE outbox (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	session VARCHAR NOT NULL, 
	lane VARCHAR NOT NULL, 
	kind VARCHAR NOT NULL, 
	target VARCHAR, 
	rank INTEGER NOT NULL, 
	doc VARCHAR NOT NULL, 
	due FLOAT, 
	attempts INTEGER NOT NULL, 
	attempted_at FLOAT
, since FLOAT DEFAULT '0' NOT NULL);
CREATE TABLE posts (
	session VARCHAR NOT NULL, 
	target VARCHAR NOT NULL, 
	channel VARCHAR NOT NULL, 
	ts VARCHAR NOT NULL, 
	thread_ts VARCHAR, 
	step VARCHAR, 
	PRIMARY KEY (session, target)
);
INSERT INTO "posts" VALUES('s1','card','C1','1800000000.000001',NULL,NULL);
INSERT INTO "posts" VALUES('s1','thread:business-analyst','C1','1800000000.000002',NULL,NULL);
INSERT INTO "posts" VALUES('s1','say:9','C1','1800000000.000003','1800000000.000002',NULL);
INSERT INTO "posts" VALUES('s1','prompt:01-01:1','C1','1800000000.000004','1800000000.000002','01-01');
INSERT INTO "posts" VALUES('s1','step:01-01:1','C1','1800000000.000006','1800000000.000002','01-01');
CREATE TABLE runs (
	id VARCHAR NOT NULL, 
	session VARCHAR NOT NULL, 
	started_at FLOAT NOT NULL, 
	ended_at FLOAT, 
	status VARCHAR, 
	PRIMARY KEY (id)
);
INSERT INTO "runs" VALUES('r-s1','s1',1800000000.0,NULL,NULL);
CREATE TABLE sections (
	session VARCHAR NOT NULL, 
	step VARCHAR NOT NULL, 
	file VARCHAR NOT NULL, 
	version INTEGER NOT NULL, 
	current INTEGER NOT NULL, 
	doc VARCHAR NOT NULL, 
	PRIMARY KEY (session, step, file, version)
);
INSERT INTO "sections" VALUES('s1','01-01','requirements-spec.md',1,1,'{"file":"requirements-spec.md","step":"01-01","title":"First","body":"---\n{\"excluded\": [], \"assumptions\": [], \"questions\": [], \"voices\": [[\"Priya\", \"First\", [\"https://p/1800000000.000005\"]]], \"risks\": [], \"further\": [], \"files\": []}\n---\n\n- Because of the bank. — said by Priya ([message](https://p/1800000000.000005))"}');
CREATE TABLE sessions (
	id VARCHAR NOT NULL, 
	team VARCHAR NOT NULL, 
	channel VARCHAR NOT NULL, 
	slug VARCHAR NOT NULL, 
	title VARCHAR NOT NULL, 
	owner VARCHAR NOT NULL, 
	status VARCHAR NOT NULL, 
	doc VARCHAR NOT NULL, 
	version INTEGER NOT NULL, 
	updated_at FLOAT NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "sessions" VALUES('s1','T1','C1','export-dashboard-as-pdf','Export dashboard as PDF','UPM','choosing','{"id":"s1","run":"r-s1","team":"T1","channel":"C1","owner":"UPM","slug":"export-dashboard-as-pdf","title":"Export dashboard as PDF","text":"Export dashboard as PDF","seed":"seed-s1","created_at":"2027-01-15T08:00:00+00:00","status":"choosing","agent":"347ed84f2cd0f167fb5c1e667450e14ad6e6759d7e78ee53dd23d6777744ad45","phases":[{"key":"01-requirements","label":"Requirements","persona":"business-analyst","count":2,"status":"open","done":1},{"key":"02-impact","label":"Impact Analysis","persona":"solutions-architect","count":1}],"phase":"01-requirements","step":"01-01","done":["01-01"],"people":["UPM"],"heard":["UPM"],"met":["business-analyst"],"voice":"business-analyst","menu":"md98bfe978b224e8481ce2bd","prompt_menu":"m262a6e76e44f2b85a3854e3","counter":4}',8,1800000000.0);
CREATE TABLE settlements (
	session VARCHAR NOT NULL, 
	place INTEGER NOT NULL, 
	step VARCHAR NOT NULL, 
	doc VARCHAR NOT NULL, 
	PRIMARY KEY (session, place)
)
 WITHOUT ROWID

;
CREATE TABLE stances (
	session VARCHAR NOT NULL, 
	answer VARCHAR NOT NULL, 
	"by" VARCHAR NOT NULL, 
	step VARCHAR NOT NULL, 
	doc VARCHAR NOT NULL, 
	PRIMARY KEY (session, answer, "by")
)
 WITHOUT ROWID

;
CREATE TABLE steps (
	session VARCHAR NOT NULL, 
	id VARCHAR NOT NULL, 
	phase VARCHAR NOT NULL, 
	place INTEGER NOT NULL, 
	doc VARCHAR NOT NULL, 
	PRIMARY KEY (session, id)
);
INSERT INTO "steps" VALUES('s1','01-01','01-requirements',0,'{"id":"01-01","phase":"01-requirements","file":"01-a.md","title":"First","digest":"e5e4ab87ed82647b66732c7261a32ed29da7de7b3dbf8dd29401324b8a691fd0","status":"completed","persona":"business-analyst","depth":"standard","revision":1,"asked":["Who benefits from this?"],"question":"Who benefits from this?","recorded":"Recorded 1 point from Priya; nobody has said who benefits.","basis":["C1:1800000000.000005@1"]}');
INSERT INTO "steps" VALUES('s1','01-02','01-requirements',1,'{"id":"01-02","phase":"01-requirements","file":"02-b.md","title":"Second","digest":"cc1fe3a7c696e61615a15c4af96357ae0dbd2143cce0f60361e005c745f21a91"}');
CREATE TABLE tasks (
	id VARCHAR NOT NULL, 
	session VARCHAR NOT NULL, 
	step VARCHAR NOT NULL, 
	persona VARCHAR NOT NULL, 
	attempt INTEGER NOT NULL, 
	opened_at FLOAT NOT NULL, 
	closed_at FLOAT, 
	outcome VARCHAR, 
	PRIMARY KEY (id)
);
INSERT INTO "tasks" VALUES('t7bf7d06964d9808de35f7a2','s1','01-01','business-analyst',1,1800000000.0,1800000000.0,'replied');
CREATE TABLE threads (
	session VARCHAR NOT NULL, 
	persona VARCHAR NOT NULL, 
	channel VARCHAR NOT NULL, 
	ts VARCHAR NOT NULL, 
	PRIMARY KEY (session, persona)
);
INSERT INTO "threads" VALUES('s1','','C1','1800000000.000001');
INSERT INTO "threads" VALUES('s1','business-analyst','C1','1800000000.000002');
CREATE TABLE timers (
	session VARCHAR NOT NULL, 
	kind VARCHAR NOT NULL, 
	step VARCHAR NOT NULL, 
	due FLOAT NOT NULL, 
	PRIMARY KEY (session, kind)
)
 WITHOUT ROWID

;
CREATE TABLE workspaces (
	team VARCHAR NOT NULL, 
	url VARCHAR NOT NULL, 
	bot_user VARCHAR NOT NULL, 
	bot_id VARCHAR NOT NULL, 
	bot_name VARCHAR NOT NULL, 
	PRIMARY KEY (team)
);
INSERT INTO "workspaces" VALUES('T1','https://test.slack.com/','UBOT','B1','Roundtable');
CREATE INDEX answers_id ON answers (id);
CREATE INDEX ix_faults_session ON faults (session);
CREATE INDEX ix_menus_session ON menus (session);
CREATE INDEX outbox_lane ON outbox (session, lane, rank, id);
CREATE INDEX posts_thread ON posts (session, thread_ts, ts);
CREATE INDEX ix_runs_session ON runs (session);
CREATE INDEX ix_sessions_channel ON sessions (channel);
CREATE INDEX ix_sessions_status ON sessions (status);
CREATE UNIQUE INDEX sessions_slug ON sessions (team, slug);
CREATE INDEX ix_tasks_session ON tasks (session);
CREATE INDEX threads_root ON threads (channel, ts);
CREATE INDEX stances_step ON stances (session, step);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('outbox',18);
COMMIT;
