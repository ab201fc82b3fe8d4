BEGIN TRANSACTION;
CREATE TABLE entries (
	id INTEGER NOT NULL,
	rater INTEGER NOT NULL,
	position INTEGER NOT NULL,
	kind VARCHAR(8) NOT NULL,
	answers JSON,
	"key" VARCHAR(64) NOT NULL,
	at DATETIME NOT NULL,
	PRIMARY KEY (id),
	UNIQUE (rater, "key"),
	FOREIGN KEY(rater) REFERENCES raters (id)
);
INSERT INTO "entries" VALUES(1,1,1,'rate','{"coherence": 4, "comment": "it''s 100 %", "marks": [{"word": 1, "mark": "missing"}]}','key-1___','2026-11-17 19:00:03.332303');
INSERT INTO "entries" VALUES(2,1,2,'skip',NULL,'key-2___','2026-11-17 19:00:03.337284');
CREATE TABLE items (
	id INTEGER NOT NULL,
	study VARCHAR(32) NOT NULL,
	"key" VARCHAR(200) NOT NULL,
	prose TEXT NOT NULL,
	verse TEXT NOT NULL,
	system TEXT NOT NULL,
	origin JSON NOT NULL,
	gold JSON,
	PRIMARY KEY (id),
	UNIQUE (study, "key"),
	FOREIGN KEY(study) REFERENCES studies (id)
);
INSERT INTO "items" VALUES(1,'b65fbe24f66802f3','hidden-system/v0','Prose 0.','Darmakzetre kurukzetre samavetA yuyutsavaH . mAmakAH pARqavAScEva kimakurvata saYjaya ..','hidden-system','{"id": "v0", "settings": {"beta": 5}, "signature": "hidden-signature", "scores": {"cross": 0.0}}','{"coherence": 4}');
INSERT INTO "items" VALUES(2,'b65fbe24f66802f3','hidden-system/v1','Prose 1.','Darmakzetre kurukzetre samavetA yuyutsavaH . mAmakAH pARqavAScEva kimakurvata saYjaya ..','hidden-system','{"id": "v1", "settings": {"beta": 5}, "signature": "hidden-signature", "scores": {"cross": 0.5}}','null');
CREATE TABLE migrations (
	version INTEGER NOT NULL,
	at DATETIME,
	PRIMARY KEY (version)
);
INSERT INTO "migrations" VALUES(1,'2026-11-17 19:00:03.296357');
CREATE TABLE places (
	rater INTEGER NOT NULL,
	position INTEGER NOT NULL,
	item INTEGER NOT NULL,
	repeat BOOLEAN NOT NULL,
	PRIMARY KEY (rater, position),
	FOREIGN KEY(rater) REFERENCES raters (id),
	FOREIGN KEY(item) REFERENCES items (id)
);
INSERT INTO "places" VALUES(1,1,2,0);
INSERT INTO "places" VALUES(1,2,1,0);
CREATE TABLE raters (
	id INTEGER NOT NULL,
	study VARCHAR(32) NOT NULL,
	name TEXT NOT NULL,
	token VARCHAR(64) NOT NULL,
	background JSON,
	consented DATETIME,
	revoked DATETIME,
	at DATETIME NOT NULL,
	PRIMARY KEY (id),
	FOREIGN KEY(study) REFERENCES studies (id),
	UNIQUE (token)
);
INSERT INTO "raters" VALUES(1,'b65fbe24f66802f3','गार्गी','8b9d93183abdf87a65db2b55e0444f814616edff3784a61a3ca78250c6e836d0','{"training": "k\u0101vya"}','2026-11-17 19:00:03.315405',NULL,'2026-11-17 19:00:03.310638');
CREATE TABLE studies (
	id VARCHAR(32) NOT NULL,
	name TEXT NOT NULL,
	"plan" JSON NOT NULL,
	owner VARCHAR(64) NOT NULL,
	at DATETIME NOT NULL,
	PRIMARY KEY (id)
);
INSERT INTO "studies" VALUES('b65fbe24f66802f3','A study','{"questions": [{"name": "coherence", "label": "Semantic coherence: does the verse say what the English says?", "kind": "scale", "required": true, "points": [{"value": 1, "rubric": "Nothing of the English is in the verse, or the verse says nothing at all.", "example": {"prose": "The traders unloaded salt and cloth at the harbour and had sold everything by evening.", "verse": "Darmakzetre kurukzetre samavetA yuyutsavaH. mAmakAH pARqavAScEva kimakurvata saYjaya..", "source": "Bhagavadg\u012bt\u0101 1.1", "why": "A good verse, but no word of it is about traders, goods or a harbour."}}, {"value": 2, "rubric": "A word or a theme of the English is there; who does what to whom is lost or another.", "example": {"prose": "The old king wept for the son who had fallen in battle.", "verse": "aSocyAnanvaSocastvaM prajYAvAdAMSca BAzase. gatAsUnagatAsUMSca nAnuSocanti paRqitAH..", "source": "Bhagavadg\u012bt\u0101 2.11", "why": "Grief and the dead are there; no king, no son, and it says that the wise do not grieve."}}, {"value": 3, "rubric": "The main statement is there; a whole clause is missing, added or wrong.", "example": {"prose": "Your part is the work, never its fruits. Whoever lives so finds peace, and all the world praises him.", "verse": "karmaRyevADikAraste mA Palezu kadAcana. mA karmaPalaheturBUrmA te saNgo''stvakarmaRi..", "source": "Bhagavadg\u012bt\u0101 2.47", "why": "The first sentence is said; of peace and praise there is nothing, and a warning is there instead."}}, {"value": 4, "rubric": "All statements are there; a detail is missing, added or not quite right.", "example": {"prose": "Whenever right declines and wrong arises, Arjuna, I come forth in a human body.", "verse": "yadA yadA hi Darmasya glAnirBavati BArata. aByutTAnamaDarmasya tadAtmAnaM sfjAmyaham..", "source": "Bhagavadg\u012bt\u0101 4.7", "why": "All is said but the human body; Arjuna is addressed by another of his names, which is no fault."}}, {"value": 5, "rubric": "The verse says all of the English and nothing against it; what it adds is only a poet''s filling.", "example": {"prose": "Death is certain for one who is born, and birth for one who has died; do not grieve for what must be.", "verse": "jAtasya hi Druvo mftyurDruvaM janma mftasya ca. tasmAdaparihArye''rTe na tvaM Socitumarhasi..", "source": "Bhagavadg\u012bt\u0101 2.27", "why": "Each statement has its words in the verse, and the verse has no other."}}]}, {"name": "comment", "label": "Anything else?", "kind": "comment", "required": false, "points": []}, {"name": "marks", "label": "Which words are at fault?", "kind": "marks", "required": false, "points": []}], "overlap": 5, "repeats": 0, "distance": 10, "seed": 0, "logins": false}','6cb1f7dd0637a337ae6a2d2e36d53b08406087b68543c7c2e8975bc7355f4b7a','2026-11-17 19:00:03.301056');
CREATE INDEX ix_items_study ON items (study);
CREATE INDEX ix_raters_study ON raters (study);
CREATE INDEX ix_entries_rater ON entries (rater);
COMMIT;
