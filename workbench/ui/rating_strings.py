"""Every sentence of the Rate and Studies tabs, and of what visitors do with a verse: rate it, or save it."""

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
RATE_WHOLE = "To the whole workbench"
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

STUDIES_TAB = "Studies"
STUDIES_LIST = "My studies on this device"
# For assets/studies.js and its template.
STUDIES_SAYS = {
    "empty": "Studies that you make or open here are listed here. The list stays in this browser.",
    "now": "opened now", "opened": "opened {when}", "copy": "copy owner's token", "forget": "forget", "more": "more",
    "sure": "Forget “{name}” on this device? The study stays on the server, but only its owner's token opens it: copy "
    "that first.",
    "surely": "Forget it", "cancel": "Keep it", "number": "number {study}",
    "full": "This browser keeps nothing for this page. Keep the study's number and its owner's token yourself.",
}  # fmt: skip
OPEN_OTHER = "Open a study made elsewhere"
OPEN_STUDY = "Study's number"
OPEN_TOKEN = "Owner's token"
OPEN_HELP = "Both were shown when the study was made."
OPEN = "Open study"
NO_STUDY = "Expected an open study; got none. Make one in step 1, or open one of yours."
NO_STUDY_YET = (
    "In a study, people rate verses by links that you send them. No study is open yet: make one in step 1, or open one "
    "of yours."
)
OPENED = "“{study}” is open."
STUDY_NUMBER = "Study number"
PLAN_RATERS = {1: "One person rates each verse", 0: "{overlap} people rate each verse"}
PLAN_REPEATS = (
    "about {share:.0%} of the verses come to a rater again, at least {distance} verses later, to see whether they "
    "agree with themselves."
)
PLAN_NO_REPEATS = "No item comes twice."
STUDY_EMPTY = "No items yet: bring some in step 2."
STUDY_UNRATED = "{items:,} items and no raters yet: invite some in step 3."
STUDY_FAR = "{items:,} items; {ratings:,} of {wanted:,} ratings are in."
STEPS = {
    "new": "1 New study",
    "items": "2 Items",
    "raters": "3 Raters",
    "results": "4 Results",
    "calibration": "Calibration",
}

RESULTS_REFRESH = "Look again"
RESULTS_EMPTY = "What the ratings say stands here once a study is open."
RESULTS_NONE = "No ratings yet. Raters who open their links make some; this page then shows means and agreement."
RESULTS_QUESTION = "Question"
RESULTS_TITLE = "{study}: {question}"
RESULTS_COUNT = (
    "{ratings:,} ratings of {items:,} items, {covered:,} of them by all {overlap} raters they need; {gold} gold items."
)
ALPHA = "Krippendorff's α (ordinal): {figure}"
PROGRESS_TABLE = "Raters"
PROGRESS_HEAD = ("rater", "link", "shown", "rated", "skipped", "mean (95 %)", "on repeats", "on gold", "background")
LINK_OPEN, LINK_CLOSED = "open", "closed"
ON_REPEATS = "“On repeats”: the share of answers within one point of the rater's first one."
ON_GOLD = "“On gold”: the share of answers within one point of the known one."
SYSTEM_TABLE = "Systems"
SYSTEM_HEAD = ("system", "items", "ratings", "mean (95 %)")
KAPPA_TABLE = "Cohen's κ, quadratic weights, by pair of raters"
KAPPA_HEAD = ("raters", "κ")
KAPPA_PAIRS = "{count} pairs of raters: {reason}"
METRIC_TABLE = "Automatic scores against mean ratings"
METRIC_HEAD = ("score", "items", "", "Pearson", "Spearman")
METRIC_ROWS = (("raw", "as it is"), ("calibrated", "calibrated, on the same items"),
               ("crossed", "calibrated, cross-validated"))  # fmt: skip
METRIC_NONE = "No item has an automatic score."
NONE_YET = "none yet"
MEANS_FIGURE = "Mean rating by system, 95 % interval"
SYSTEMS_FIGURE = "How often each point was given, by system"
RATERS_FIGURE = "How often each point was given, by rater"
RATING_AXIS = "rating"
COUNT_AXIS = "ratings"

EXPORT_FORMAT = "Take the ratings away as"
EXPORT_CHOICES = (
    ("CSV", "csv"), ("JSON lines", "jsonl"), ("TSV for mqm_viewer", "mqm"), ("Hugging Face dataset (zip)", "dataset"),
)  # fmt: skip
EXPORT_DOWNLOAD = "Download"

CALIBRATE_INTRO = (
    "Optional, and not for this study alone. A calibration fits the machine's meaning score to your raters' mean "
    "ratings of coherence. It is stored for the whole workbench: everyone who composes here sees it. Ratings and items "
    "stay as they are."
)
CALIBRATE_LOOK = "See what it would change"
CALIBRATE_NOW = {  # by what the scale stands on
    "people": "Now: a calibration by {ratings:,} items, from {low:.1f} to {high:.1f} of 5.",
    "graded verses": (
        "Now: no people's ratings. The scale stands on {ratings:,} verses from books of which some quarters were "
        "exchanged for others, from {low:.1f} to {high:.1f} of 5."
    ),
    "blind readings": (
        "Now: no people's ratings. The scale stands on careful readings of {ratings:,} verses by language models, from "
        "{low:.1f} to {high:.1f} of 5."
    ),
}
CALIBRATE_NOW_NONE = "Now: no calibration. The score under a verse is the machine's own, from 0 to 1."
CALIBRATE_THEN = "Then: a calibration by the {ratings:,} rated items of this study, from {low:.1f} to {high:.1f} of 5."
CALIBRATE_ORDER = (
    "Under every verse stands a number on your raters' scale, {high:.1f} of 5 at most. The order of candidates stays "
    "as it is."
)
CALIBRATE_TABLE = "What a score becomes"
CALIBRATE_HEAD = ("{judge}'s score", "shown now", "shown then")
CALIBRATE_ASK = "Change the scores that everyone sees on this workbench?"
CALIBRATE_YES = "Yes, change them for everyone"
CALIBRATE_NO = "No, leave them as they are"
CALIBRATE_LEFT = "Nothing was changed."
CALIBRATE_STALE = (
    "Expected the ratings that you looked at; got others, which came in since. See once more what it would change."
)
CALIBRATION_FORGET = "Take the calibration away"
CALIBRATION_FORGOTTEN = (
    "Taken away. The score under a verse is the machine's own again, for everyone. The file is kept where it was, as "
    "calibration.removed.json."
)
NO_CALIBRATION = "There is no calibration to take away."
CALIBRATED = "Stored: {ratings} items, from {low:.1f} to {high:.1f} of 5. Verses are now scored on the raters' scale."

NEW_INTRO = (
    "A name, what is asked of each verse, and how many people rate it. The rest can stay as it is. What a study asks "
    "does not change later."
)
NEW_NAME = "Name"
NEW_NAME_HELP = "Raters see it."
NEW_ASK = "Asked beside “does the verse say what the English says?”"
NEW_ASK_CHOICES = (
    ("grammar", "grammar"), ("poetic quality", "poetry"), ("recitability", "recitability"), ("comment", "comment"),
    ("word marks", "marks"),
)  # fmt: skip
NEW_OVERLAP = "How many people rate each verse"
NEW_MORE = "More: verses that come twice, order, logins"
NEW_REPEATS = "Share of verses that come to a rater again"
NEW_REPEATS_HELP = "Unannounced, to see whether raters agree with themselves. 0: no item comes twice."
NEW_DISTANCE = "Verses between the two, at least"
NEW_SEED = "Seed of the raters' orders"
NEW_LOGINS = "Anyone logged in at Hugging Face may rate (on a Space)"
NEW_ADMIN = "Administrator's token"
NEW_CREATE = "Make the study"
CREATED = (
    "“{study}” is made and kept in your list on this device. To open it elsewhere you need its number, {number}, and "
    "its owner's token, which nobody can look up:"
)
NO_CREATION = (
    "On a Space, studies are made with the administrator's token: set a secret PINGALA_ADMIN, or use `python -m "
    "workbench ratings create`."
)
NOT_ADMIN = "Expected the administrator's token; got another."
ADMIN_HELP = "It makes studies, brings in what visitors saved, and fits the calibration for everyone."
ADMIN_MADE = (
    "The administrator's token, printed this once: {token}\nIt makes studies, brings in what visitors saved and fits "
    "the calibration. Remove {file} from the folder for data to have another made, or set PINGALA_ADMIN."
)
COPY = "copy"

ITEMS_HELP = (
    "An item is an English prose and a Sanskrit verse that is to say it. Bring a file, or what visitors saved in the "
    "Compose tab; you see what would come before anything is added."
)
ITEMS_MORE_ABOUT = "More: what a file has, systems, script"
ITEMS_FORMAT = (
    "CSV or JSON lines in UTF-8, with id, en, verse (any script), system; also gold_coherence, score_cross, score_bi, "
    "settings, signature. The quick ratings' export fits too; the verses.jsonl of `evaluate --out`, which has no "
    "English, comes in by `python -m workbench ratings import --corpus`. Raters are never told which system made a "
    "verse."
)
ITEMS_SYSTEM = "System, for rows that name none"
ITEMS_SCRIPT = "Script of the verses"
ITEMS_SCRIPT_AUTO = "Find out"
ITEMS_CHOOSE = "Choose file"
ITEMS_SAVED = "Bring saved compositions"
ITEMS_SAVED_NONE = "Expected saved compositions that this study has not got yet; there are none."
ITEMS_SCORE = "Score those that come without scores"
ITEMS_SCORE_HELP = "By the judges of meaning, whose scores are then compared with the ratings."
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

RATERS_INTRO = (
    "Each rater gets a link of their own, which opens nothing but their task, on any device. Nobody else should have "
    "it."
)
RATERS_LIST = "Raters of this study"
RATERS_NONE = "Nobody has been invited yet."
RATERS_ENOUGH = "{wanted} people are to rate each verse, and {count} can."
RATERS_FEW = "{wanted} people are to rate each verse, but only {count} can: invite {more} more."
RATER_STATES = {"new": "has not come yet", "began": "has come", "closed": "link closed", "login": "comes by login"}
RATER_RATED = "{rated:,} rated"
RATER_SKIPPED = "{skipped:,} skipped"
RATER_LAST = "last seen {day}"
INVITE_NAME = "Names of raters, a line each"
INVITE_HELP = "A name is only for you and for them; published data has numbers instead."
INVITE = "Make links"
INVITED = "{names}: the link is below. Send it to them and to nobody else."
INVITED_MANY = "{names}: the links are below. Send each to its own rater and to nobody else."
INVITE_NOBODY = "Expected at least one name; got none."
LINK_HELP = "Shown until you close this page. A link that got lost can be made anew."
COPY_LINKS = "copy all links"
RENEW = "make the link anew"
RENEW_ASK = "The link that they have now will open nothing any more; what they rated stays."
RENEW_SURE = "Make a new link"
RENEWED = "{name}: the new link is below, and the old one opens nothing any more. What they rated is there."
REVOKE = "close the link"
REVOKE_ASK = "They will not come in any more; what they rated stays. You can make them a new link later."
REVOKE_SURE = "Close it"
REVOKED = "{name}'s link is closed; their ratings stay."
RATER_UNKNOWN = "Expected something to do with a rater; got {what}."
