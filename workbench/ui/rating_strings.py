"""Every sentence of the Rate and Results tabs, and of what visitors do with a verse: rate it, or save it."""

RATE_TAB = "Rate"
RATE_DOOR = "Rate verses"
RATE_INTRO = (
    "Raters come by invitation: open the link you were sent, here or on any other device, and you go on where you left "
    "off. If you have the study's number and your token instead, enter them."
)
RATE_LOGIN = "Some studies take everyone who is logged in at Hugging Face: log in, and enter the study's number alone."
RATE_STUDY = "Study"
RATE_TOKEN = "Token"
RATE_OPEN = "Open"
RATE_LEAVE = "Leave on this device"
RATE_WELCOME = "Before you begin"
RATE_ABOUT = (
    "You will see English prose and a Sanskrit verse made from it, one pair at a time, and say how well the verse says "
    "what the English says. Nobody is told which system made a verse. Your ratings, comments and the answers below are "
    "kept with the name you were invited under and used for research; published data names raters only by a number. "
    "You may stop at any time."
)
RATE_CONSENT = "I have read this, and I agree that my ratings are kept and used in this way."
RATE_BEGIN = "Begin"
BACKGROUND = (  # name, what is asked, what can be chosen
    ("training", "Your training in Sanskrit", (
        "self-taught", "student", "university degree", "traditional (pāṭhaśālā, gurukula)", "teaching or research",
    )),
    ("verse", "How you read Sanskrit verse", ("with a dictionary", "with some help", "fluently", "and compose it")),
    ("english", "Your English", ("first language", "fluent", "enough for reading")),
)  # fmt: skip
RATE_ENGLISH = "English"
RATE_VERSE = "Verse"
RATE_SCRIPT = "Script"
RATE_GRID = "Akṣaras (syllables as written) and their weights"
RATE_SAID = "What do you say?"
RATE_MARKS_HELP = "Press a word of the verse to mark it: wrong word, missing (before it), ungrammatical, none."
RATE_EXAMPLES = "An example verse for every point"
RATE_RUBRIC = "What the points mean"
RATE_OPTIONAL = "optional"
RATE_SUBMIT = "Submit"
RATE_SKIP = "Skip"
RATE_UNDO = "Undo"
RATE_PREVIOUS = "Previous"
RATE_FOLLOWING = "Next"
RATE_NEXT = "Next unrated"
RATE_JUMP = "Go to verse"
RATE_KEYS = "Keys: 1 to 5 answer, Enter submits, Ctrl+Enter submits from the comment."
RATE_AT = "Verse {position} · {state}"
RATE_PLACE = "{position}: {state}"
STATES = {"open": "not rated yet", "skipped": "skipped", "rated": "rated"}
RATE_PROGRESS = "{rated} of {total} rated"
RATE_SKIPPED = ", {skipped} skipped"
RATE_DONE = "There is nothing more for you to rate now. Thank you."
RATE_DONE_SKIPPED = "You have passed over {skipped}; “Next unrated” goes through what you skipped."
RATE_UNEXPECTED = "Something went wrong here; it has been noted. What you entered is kept: try again in a moment."

# For assets/rating.js, which says them.
RATE_SAYS = {
    "missing": "Answer “{label}” to submit.",
    "ready": "Enter submits.",
    "saving": "Saving …",
    "saved": "Saved.",
    "skipped": "Skipped.",
    "undone": "Taken back: this is how it stood before.",
    "lost": "Not saved: the server did not answer. What you entered is kept here; try again.",
    "busy": "The server is busy; this is kept here and sent again by itself.",
    "consent": "Tick the consent to begin.",
    "unmarked": "not marked",
}

RATE_BUSY = "The database is busy. What you entered is kept in your browser; try again in a moment."
QUICK = "Does this verse say what the prose says?"
QUICK_COMMENT = "Comment (optional)"
QUICK_SEND = "Rate"
QUICK_THANKS = "Thank you; your rating is kept."
QUICK_NOTHING = "Expected a verse to rate; there is none yet."
QUICK_ENOUGH = "Thank you. These are many ratings from one place; more are taken in an hour."
SAVE = "Save for a study"
SAVED = "Saved, with its prose and settings: owners of studies on this workbench can let people rate it."
SAVED_ALREADY = "This verse is saved already: owners of studies on this workbench can let people rate it."
SAVE_NOTHING = "Expected a verse to save; there is none yet."
SAVED_ENOUGH = "These are many verses saved from one place; more are taken in an hour."

RESULTS_TAB = "Results"
RESULTS_INTRO = "What a study has found, for its owner. The token was shown when the study was made."
RESULTS_STUDY = "Study"
RESULTS_TOKEN = "Owner's token"
RESULTS_OPEN = "Show results"
RESULTS_EMPTY = "Enter a study's number and its owner's token."
RESULTS_QUESTION = "Question"
RESULTS_TITLE = "{study}: {question}"
RESULTS_COUNT = (
    "{ratings:,} ratings of {items:,} items, {covered:,} of them by all {overlap} raters they need; {gold} gold items."
)
ALPHA = "Krippendorff's α (ordinal): {figure}"
PROGRESS_TABLE = "Raters"
PROGRESS_HEAD = ("rater", "link", "shown", "rated", "skipped", "mean (95 %)", "on repeats", "on gold", "background")
LINK_OPEN, LINK_CLOSED = "open", "closed"
WITHIN_ONE = (
    "“On repeats” and “on gold”: the share of answers within one point of the rater's first one, or of the known one."
)
SYSTEM_TABLE = "Systems"
SYSTEM_HEAD = ("system", "items", "ratings", "mean (95 %)")
KAPPA_TABLE = "Cohen's κ, quadratic weights, by pair of raters"
KAPPA_HEAD = ("raters", "κ")
METRIC_TABLE = "Automatic scores against mean ratings"
METRIC_HEAD = ("score", "items", "", "Pearson", "Spearman")
METRIC_ROWS = (("raw", "as it is"), ("calibrated", "calibrated, on the same items"),
               ("crossed", "calibrated, cross-validated"))  # fmt: skip
NONE_YET = "none yet"
MEANS_FIGURE = "Mean rating by system, 95 % interval"
SYSTEMS_FIGURE = "How often each point was given, by system"
RATERS_FIGURE = "How often each point was given, by rater"
RATING_AXIS = "rating"
COUNT_AXIS = "ratings"

EXPORT = "Export"
EXPORT_FORMAT = "Format"
EXPORT_CHOICES = (
    ("CSV", "csv"), ("JSON lines", "jsonl"), ("TSV for mqm_viewer", "mqm"), ("Hugging Face dataset (zip)", "dataset"),
)  # fmt: skip
EXPORT_DOWNLOAD = "Download"
CALIBRATE = "Fit calibration"
CALIBRATE_HELP = (
    "Fits the cross-encoder's score (score_cross of the items) to the mean ratings of coherence, and stores the curve: "
    "from then on the workbench shows meaning on the raters' scale."
)
CALIBRATED = "Stored: {ratings} items, from {low:.1f} to {high:.1f} of 5. Verses are now scored on the raters' scale."

NEW_STUDY = "New study"
NEW_NAME = "Name"
NEW_ASK = "Asked beside semantic coherence"
NEW_ASK_CHOICES = (
    ("grammar", "grammar"), ("poetic quality", "poetry"), ("recitability", "recitability"), ("comment", "comment"),
    ("word marks", "marks"),
)  # fmt: skip
NEW_OVERLAP = "How many people rate each verse"
NEW_REPEATS = "Share of items that come silently again"
NEW_DISTANCE = "Showings between the two"
NEW_SEED = "Seed of the raters' orders"
NEW_LOGINS = "Anyone logged in at Hugging Face may rate (on a Space)"
NEW_ADMIN = "Administrator's token"
NEW_CREATE = "Create study"
CREATED = "Study {study} is there. Its owner's token is shown this once; keep it, nobody can look it up."
NO_CREATION = (
    "On a Space, studies are made with the administrator's token: set a secret PINGALA_ADMIN, or use `python -m "
    "workbench ratings create`."
)
NOT_ADMIN = "This is not the administrator's token."
ADMIN_HELP = "It makes studies, brings in what visitors saved, and fits the calibration for everyone."
ADMIN_MADE = (
    "The administrator's token, printed this once: {token}\nIt makes studies, brings in what visitors saved and fits "
    "the calibration. Remove {file} from the folder for data to have another made, or set PINGALA_ADMIN."
)
COPY = "copy"

ITEMS = "Items"
ITEMS_HELP = (
    "What visitors saved in the Compose tab, or CSV or JSON lines in UTF-8, with id, en, verse (any script), system; "
    "also gold_coherence, score_cross, score_bi, settings, signature. The quick ratings' export fits too; the "
    "verses.jsonl of `evaluate --out`, which has no English, comes in by `python -m workbench ratings import --corpus`."
)
ITEMS_SYSTEM = "System, for rows that name none"
ITEMS_SCRIPT = "Script of the verses"
ITEMS_SCRIPT_AUTO = "Find out"
ITEMS_CHOOSE = "Choose file"
ITEMS_SAVED = "Bring saved compositions"
ITEMS_SAVED_NONE = "Expected saved compositions that this study has not got yet; there are none."
ITEMS_SCORE = "Score those that come without scores"
ITEMS_SCORE_HELP = "By bi-encoder and cross-encoder, whose scores are then compared with the ratings."
ITEMS_ADD = "Add items"
ITEMS_PREVIEW = "{items:,} items can be added; {errors:,} rows cannot."
ITEMS_HEAD = ("id", "system", "English", "verse")
ITEMS_ROW = "Row {row}: {sentence}"
ITEMS_MORE = "… and {count:,} more."
ITEMS_NONE = "Expected a file with items, or saved compositions, looked through above; there is none yet."
ITEMS_ADDED = "{new:,} items added; {known:,} were there already."
ITEMS_SCORING = "The judges are asked about those without scores …"
ITEMS_SCORED = "{count:,} of them were scored."
ITEMS_UNREAD = "{count:,} could not be read by the judges; {key}: {sentence}"
ITEMS_UNSCORED = "None was scored: {reason}"

RATERS = "Raters"
INVITE_NAME = "Name of a rater"
INVITE = "Invite"
INVITED = "The link of {name}. It is shown this once: send it to them and to nobody else."
REVOKE = "Close link"
REVOKED = "{name}'s link is closed; their ratings stay."
