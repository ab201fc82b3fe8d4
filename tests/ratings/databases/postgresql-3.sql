CREATE TABLE migrations (
	version SERIAL NOT NULL,
	at TIMESTAMP WITH TIME ZONE,
	PRIMARY KEY (version)
);
CREATE TABLE studies (
	id VARCHAR(32) NOT NULL,
	name TEXT NOT NULL,
	plan JSON NOT NULL,
	owner VARCHAR(64) NOT NULL,
	at TIMESTAMP WITH TIME ZONE NOT NULL,
	PRIMARY KEY (id)
);
CREATE TABLE items (
	id SERIAL NOT NULL,
	study VARCHAR(32) NOT NULL,
	key VARCHAR(200) NOT NULL,
	prose TEXT NOT NULL,
	verse TEXT NOT NULL,
	system TEXT NOT NULL,
	origin JSON NOT NULL,
	gold JSON,
	PRIMARY KEY (id),
	UNIQUE (study, key),
	FOREIGN KEY(study) REFERENCES studies (id)
);
CREATE INDEX ix_items_study ON items (study);
CREATE TABLE raters (
	id SERIAL NOT NULL,
	study VARCHAR(32) NOT NULL,
	name TEXT NOT NULL,
	token VARCHAR(64) NOT NULL,
	background JSON,
	consented TIMESTAMP WITH TIME ZONE,
	revoked TIMESTAMP WITH TIME ZONE,
	at TIMESTAMP WITH TIME ZONE NOT NULL,
	PRIMARY KEY (id),
	FOREIGN KEY(study) REFERENCES studies (id),
	UNIQUE (token)
);
CREATE INDEX ix_raters_study ON raters (study);
CREATE TABLE places (
	rater INTEGER NOT NULL,
	position INTEGER NOT NULL,
	item INTEGER NOT NULL,
	repeat BOOLEAN NOT NULL,
	PRIMARY KEY (rater, position),
	FOREIGN KEY(rater) REFERENCES raters (id),
	FOREIGN KEY(item) REFERENCES items (id)
);
CREATE TABLE entries (
	id SERIAL NOT NULL,
	rater INTEGER NOT NULL,
	position INTEGER NOT NULL,
	kind VARCHAR(8) NOT NULL,
	answers JSON,
	key VARCHAR(64) NOT NULL,
	at TIMESTAMP WITH TIME ZONE NOT NULL,
	PRIMARY KEY (id),
	UNIQUE (rater, key),
	FOREIGN KEY(rater) REFERENCES raters (id)
);
CREATE INDEX ix_entries_rater ON entries (rater);
INSERT INTO migrations (version, at) VALUES (1::INTEGER, '2026-11-17 19:00:03.865943+00:00'::timestamptz::TIMESTAMP WITH TIME ZONE);
CREATE TABLE identities (
	study VARCHAR(32) NOT NULL,
	name VARCHAR(200) NOT NULL,
	rater INTEGER NOT NULL,
	PRIMARY KEY (study, name),
	FOREIGN KEY(study) REFERENCES studies (id),
	FOREIGN KEY(rater) REFERENCES raters (id)
);
CREATE TABLE quick (
	id SERIAL NOT NULL,
	prose TEXT NOT NULL,
	verse TEXT NOT NULL,
	origin JSON NOT NULL,
	answers JSON NOT NULL,
	key VARCHAR(64) NOT NULL,
	at TIMESTAMP WITH TIME ZONE NOT NULL,
	PRIMARY KEY (id),
	UNIQUE (key)
);
INSERT INTO migrations (version, at) VALUES (2::INTEGER, '2026-11-17 19:00:03.870994+00:00'::timestamptz::TIMESTAMP WITH TIME ZONE);
CREATE TABLE saved (
	id SERIAL NOT NULL,
	prose TEXT NOT NULL,
	verse TEXT NOT NULL,
	system TEXT NOT NULL,
	origin JSON NOT NULL,
	key VARCHAR(64) NOT NULL,
	at TIMESTAMP WITH TIME ZONE NOT NULL,
	PRIMARY KEY (id),
	UNIQUE (key)
);
INSERT INTO migrations (version, at) VALUES (3::INTEGER, '2026-11-17 19:00:03.874372+00:00'::timestamptz::TIMESTAMP WITH TIME ZONE);
INSERT INTO studies (id, name, plan, owner, at) VALUES ('bb7fde97256e3f55'::VARCHAR, 'A study'::VARCHAR,  E'{"questions": [{"name": "coherence", "label": "Semantic coherence: does the verse say what the English says?", "kind": "scale", "required": true, "points": [{"value": 1, "rubric": "Nothing of the English is in the verse, or the verse says nothing at all.", "example": {"prose": "The traders unloaded salt and cloth at the harbour and had sold everything by evening.", "verse": "Darmakzetre kurukzetre samavetA yuyutsavaH. mAmakAH pARqavAScEva kimakurvata saYjaya..", "source": "Bhagavadg\\u012bt\\u0101 1.1", "why": "A good verse, but no word of it is about traders, goods or a harbour."}}, {"value": 2, "rubric": "A word or a theme of the English is there; who does what to whom is lost or another.", "example": {"prose": "The old king wept for the son who had fallen in battle.", "verse": "aSocyAnanvaSocastvaM prajYAvAdAMSca BAzase. gatAsUnagatAsUMSca nAnuSocanti paRqitAH..", "source": "Bhagavadg\\u012bt\\u0101 2.11", "why": "Grief and the dead are there; no king, no son, and it says that the wise do not grieve."}}, {"value": 3, "rubric": "The main statement is there; a whole clause is missing, added or wrong.", "example": {"prose": "Your part is the work, never its fruits. Whoever lives so finds peace, and all the world praises him.", "verse": "karmaRyevADikAraste mA Palezu kadAcana. mA karmaPalaheturBUrmA te saNgo''stvakarmaRi..", "source": "Bhagavadg\\u012bt\\u0101 2.47", "why": "The first sentence is said; of peace and praise there is nothing, and a warning is there instead."}}, {"value": 4, "rubric": "All statements are there; a detail is missing, added or not quite right.", "example": {"prose": "Whenever right declines and wrong arises, Arjuna, I come forth in a human body.", "verse": "yadA yadA hi Darmasya glAnirBavati BArata. aByutTAnamaDarmasya tadAtmAnaM sfjAmyaham..", "source": "Bhagavadg\\u012bt\\u0101 4.7", "why": "All is said but the human body; Arjuna is addressed by another of his names, which is no fault."}}, {"value": 5, "rubric": "The verse says all of the English and nothing against it; what it adds is only a poet''s filling.", "example": {"prose": "Death is certain for one who is born, and birth for one who has died; do not grieve for what must be.", "verse": "jAtasya hi Druvo mftyurDruvaM janma mftasya ca. tasmAdaparihArye''rTe na tvaM Socitumarhasi..", "source": "Bhagavadg\\u012bt\\u0101 2.27", "why": "Each statement has its words in the verse, and the verse has no other."}}]}, {"name": "comment", "label": "Anything else?", "kind": "comment", "required": false, "points": []}, {"name": "marks", "label": "Which words are at fault?", "kind": "marks", "required": false, "points": []}], "overlap": 5, "repeats": 0, "distance": 10, "seed": 0, "logins": false}'::json::JSON, '98fb6f48f679b86d9ce6a25a72f609c0fac279738e7d4560d3b564dd695da8d6'::VARCHAR, '2026-11-17 19:00:03.875788+00:00'::timestamptz::TIMESTAMP WITH TIME ZONE);
INSERT INTO items (study, key, prose, verse, system, origin, gold) VALUES ('bb7fde97256e3f55'::VARCHAR, 'hidden-system/v0'::VARCHAR, 'Prose 0.'::VARCHAR, 'Darmakzetre kurukzetre samavetA yuyutsavaH . mAmakAH pARqavAScEva kimakurvata saYjaya ..'::VARCHAR, 'hidden-system'::VARCHAR, '{"id": "v0", "settings": {"beta": 5}, "signature": "hidden-signature", "scores": {"cross": 0.0}}'::json::JSON, '{"coherence": 4}'::json::JSON);
INSERT INTO items (study, key, prose, verse, system, origin, gold) VALUES ('bb7fde97256e3f55'::VARCHAR, 'hidden-system/v1'::VARCHAR, 'Prose 1.'::VARCHAR, 'Darmakzetre kurukzetre samavetA yuyutsavaH . mAmakAH pARqavAScEva kimakurvata saYjaya ..'::VARCHAR, 'hidden-system'::VARCHAR, '{"id": "v1", "settings": {"beta": 5}, "signature": "hidden-signature", "scores": {"cross": 0.5}}'::json::JSON, 'null'::json::JSON);
INSERT INTO raters (study, name, token, at) VALUES ('bb7fde97256e3f55'::VARCHAR, 'गार्गी'::VARCHAR, '0b9801e9fdc23cca90e05810f3c6ffd4abdd572cf4d09e7e0fb7136366833be2'::VARCHAR, '2026-11-17 19:00:03.882589+00:00'::timestamptz::TIMESTAMP WITH TIME ZONE) RETURNING raters.id;
UPDATE raters SET background= E'{"training": "k\\u0101vya"}'::json::JSON, consented='2026-11-17 19:00:03.884628+00:00'::timestamptz::TIMESTAMP WITH TIME ZONE WHERE raters.id = 1::INTEGER;
INSERT INTO places (rater, position, item, repeat) VALUES (1::INTEGER, 1::INTEGER, 2::INTEGER, false);
INSERT INTO entries (rater, position, kind, answers, key, at) VALUES (1::INTEGER, 1::INTEGER, 'rate'::VARCHAR, '{"coherence": 4, "comment": "it''s 100 %", "marks": [{"word": 1, "mark": "missing"}]}'::json::JSON, 'key-1___'::VARCHAR, '2026-11-17 19:00:03.904699+00:00'::timestamptz::TIMESTAMP WITH TIME ZONE) RETURNING entries.id;
INSERT INTO places (rater, position, item, repeat) VALUES (1::INTEGER, 2::INTEGER, 1::INTEGER, false);
INSERT INTO entries (rater, position, kind, answers, key, at) VALUES (1::INTEGER, 2::INTEGER, 'skip'::VARCHAR, NULL::JSON, 'key-2___'::VARCHAR, '2026-11-17 19:00:03.916800+00:00'::timestamptz::TIMESTAMP WITH TIME ZONE) RETURNING entries.id;
INSERT INTO quick (prose, verse, origin, answers, key, at) VALUES ('P.'::VARCHAR, 'Darmakzetre kurukzetre samavetA yuyutsavaH . mAmakAH pARqavAScEva kimakurvata saYjaya ..'::VARCHAR, '{"beta": 5}'::json::JSON, '{"coherence": 2}'::json::JSON, 'key-quick'::VARCHAR, '2026-11-17 19:00:03.918725+00:00'::timestamptz::TIMESTAMP WITH TIME ZONE) RETURNING quick.id;
INSERT INTO saved (prose, verse, system, origin, key, at) VALUES ('P.'::VARCHAR, 'Darmakzetre kurukzetre samavetA yuyutsavaH . mAmakAH pARqavAScEva kimakurvata saYjaya ..'::VARCHAR, 'hidden-system'::VARCHAR, '{"settings": {"beta": 5}, "signature": "signature", "scores": {"cross": 0.5}}'::json::JSON, '8cf1bc13dd3642a367345dfebc1e108cbe734799bf128f09069311351b351412'::VARCHAR, '2026-11-17 19:00:03.920391+00:00'::timestamptz::TIMESTAMP WITH TIME ZONE) RETURNING saved.id;
