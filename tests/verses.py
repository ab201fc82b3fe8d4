"""Real verses with their source, for every test that needs one. SLP1, half-verses divided by a daṇḍa."""

from hypothesis import strategies as st

from workbench.prosody import sounds

# name of the metre -> (source, verse)
VERSES = {
    "anuṣṭubh": (
        "Bhagavadgītā 1.1",
        "Darmakzetre kurukzetre samavetA yuyutsavaH. mAmakAH pARqavAScEva kimakurvata saYjaya..",
    ),
    "indravajrā": (
        "Rāmarakṣāstotra 32",
        "lokABirAmaM raRaraNgaDIraM rAjIvanetraM raGuvaMSanATam. "
        "kAruRyarUpaM karuRAkaraM taM SrIrAmacandraM SaraRaM prapadye..",
    ),
    "upendravajrā": (
        "tradition: tvameva mātā",
        "tvameva mAtA ca pitA tvameva tvameva banDuSca saKA tvameva. "
        "tvameva vidyA draviRaM tvameva tvameva sarvaM mama deva deva..",
    ),
    "upajāti": (
        "tradition: karpūragauram",
        "karpUragOraM karuRAvatAraM saMsArasAraM Bujagendrahāram. "
        "sadAvasantaM hfdayAravinde BavaM BavAnIsahitaM namAmi..".replace("ā", "A"),
    ),
    "vasantatilakā": (
        "Bhāgavatapurāṇa 4.9.6",
        "yo'ntaH praviSya mama vAcamimAM prasuptAM saYjIvayatyaKilaSaktiDaraH svaDAmnA. "
        "anyAMSca hastacaraRaSravaRatvagAdIn prARAnnamo Bagavate puruzAya tuByam..",
    ),
    "mālinī": (
        "Bhartṛhari, Vairāgyaśataka",
        "vayamiha parituzwA valkalEstvaM dukUlEH sama iha paritozo nirviSezo viSezaH. "
        "sa tu Bavati daridro yasya tfzRA viSAlA manasi ca parituzwe ko'rTavAn ko daridraH..",
    ),
    "mandākrāntā": (
        "Kālidāsa, Meghadūta 1",
        "kaScit kAntAvirahaguruRA svADikArAt pramattaH SApenAstaMgamitamahimA varzaBogyeRa BartuH. "
        "yakzaScakre janakatanayAsnAnapuRyodakezu snigDacCAyAtaruzu vasatiM rAmagiryASramezu..",
    ),
    "śārdūlavikrīḍita": (
        "Sarasvatīstotra",
        "yA kundendutuzArahAraDavalA yA SuBravastrAvftA yA vIRAvaradaRqamaRqitakarA yA SvetapadmAsanA. "
        "yA brahmAcyutaSaMkarapraBftiBirdevEH sadA vanditA sA mAM pAtu sarasvatI BagavatI niHSezajAqyApahA..",
    ),
    "sragdharā": (
        "Kālidāsa, Abhijñānaśākuntala 1.1",
        "yA sfzwiH srazwurAdyA vahati viDihutaM yA haviryA ca hotrI "
        "ye dve kAlaM viDattaH SrutivizayaguRA yA sTitA vyApya viSvam. "
        "yAmAhuH sarvabIjaprakftiriti yayA prARinaH prARavantaH "
        "pratyakzABiH prapannastanuBiravatu vastABirazwABirISaH..",
    ),
    "viyoginī": (
        "Bhāravi, Kirātārjunīya 2.30",
        "sahasA vidaDIta na kriyAmavivekaH paramApadAM padam. vfRate hi vimfSyakAriRaM guRaluBDAH svayameva saMpadaH..",
    ),
    "udgatā": (
        "Bhāravi, Kirātārjunīya 12.1",
        "aTa vAsavasya vacanena ruciravadanastrilocanam. klAntirahitamaBirADayituM viDivattapAMsi vidaDe DanaMjayaH..",
    ),
    "mayūrasāriṇī": (
        "Nāṭyaśāstra",
        "nEva te 'sti saMgamo manuzyErnApi kAmaBogacihnamanyat. garBiRIva dfSyase hyanArye kiM mayUrasAriRI tvamevam..",
    ),
    "paṇava": (
        "Mahāsubhāṣitasaṃgraha",
        "asmiMste Sirasi tadA kAnte vEdUryasPawikasuvarRAQye. "
        "SoBAM svAM na vahati tAM badDA suSlizwA kuvalayamAleyam..",
    ),
    "samānikā": (
        "Nāṭyaśāstra",
        "yattvayA hyanekaBAvEScezwitaM rahaH sugAtri. tanmano mama pravizwaM vfttamadya siMhaleKam..",
    ),
    "bhadravirāṭ": (
        "subhāṣita: ratnāni vibhūṣayanti",
        "ratnAni viBUzayanti yozA BUzyante vanitA na ratnakAntyA. "
        "ceto vanitAharantyaratnA no ratnAni vinANganANgasaNgAt..",
    ),
    "vaitālīya": (
        "Mahāsubhāṣitasaṃgraha",
        "aviralakaravAlakampanErBrukuwItarjanagarjanErmuhuH. dadfSe tava vEriRAM madaH sa gataH kvApi tavekzaRe kzaRAt..",
    ),
    "aupacchandasika": (
        "Āryaśūra, Jātakamālā",
        "dvAByAmapi laNGanakramAByAM gamyaM nEva tadanyavAnarARAm. "
        "vegena yadantaraM tarasvI pratatArAlpamivEkavikrameRa..",
    ),
    "vānavāsikā": (
        "Nāṭyaśāstra",
        "asanTitapadA suvihvalANgI madasKalitacezwitErmanojYA. kva yAsyasi varoru suratakAle vizamA kiM vAnavAsikA tvam..",
    ),
    "pādākulaka": (
        "Mohamudgara",
        "aNgaM galitaM palitaM muRqaM dantavihInaM jAtaM tuRqam. karaDftakampitaSoBitadaRqaM tadapi na muYcatyASA piRqam..",
    ),
    "caṇḍavṛṣṭiprapāta": (
        "Gaṅgādāsa, Chandomañjarī",
        "pralayaGanaGawAmahAramBameGAvalIcaRqavfzwiprapAtAkulaM gokulaM "
        "sapadi samavalokya savyena hastena govarDanaM nAma SElaM daDallIlayA. "
        "kamalanayana rakza rakzeti garjattrasanmugDagopANganAliNganAnandito "
        "galadaBinavaDAtuDArAvicitrANgarAgo murArAtirastu pramodAya naH..",
    ),
    "āryā": (
        "Bhartṛhari, Nītiśataka",
        "siMhaH SiSurapi nipatati madamalinakapolaBittizu gajezu. prakftiriyaM sattvavatAM na Kalu vayastejaso hetuH..",
    ),
}

# The four vipulās, from the corpus of the epics.
VIPULAS = {
    "na-vipulā": "tapaH svADyAyanirataM tapasvI vAgvidAM varam. nAradaM paripapracCa vAlmIkirmunipuNgavam..",
    "bha-vipulā": "Dfzwirjayanto vijayaH surAzwro rAzwravarDanaH. akopo DarmapAlaSca sumantraScAzwamo'rTavit..",
    "ma-vipulā": "kftaM yuvAByAM karmedamamarErapi duzkaram. varaM vfRItaM tuzwo'smi durlaBaM puruzezviha..",
    "ra-vipulā": "avErakft sUpacAraH samo nindApraSaMsayoH. suvfttaH SIlasampannaH prasannAtmA''tmavAn praBuH..",
}

# Bhagavadgītā 1.1, as half-verses.
GITA = "Darmakzetre kurukzetre samavetA yuyutsavaH", "mAmakAH pARqavAScEva kimakurvata saYjaya"

# Bhagavadgītā 1.1 as it is written in each script.
IN_EVERY_SCRIPT = {
    "devanagari": "धर्मक्षेत्रे कुरुक्षेत्रे समवेता युयुत्सवः । मामकाः पाण्डवाश्चैव किमकुर्वत सञ्जय ॥",
    "iast": "dharmakṣetre kurukṣetre samavetā yuyutsavaḥ | māmakāḥ pāṇḍavāścaiva kimakurvata sañjaya ||",
    "slp1": "Darmakzetre kurukzetre samavetA yuyutsavaH . mAmakAH pARqavAScEva kimakurvata saYjaya ..",
    "hk": "dharmakSetre kurukSetre samavetA yuyutsavaH | mAmakAH pANDavAzcaiva kimakurvata saJjaya ||",
    "itrans": "dharmakShetre kurukShetre samavetA yuyutsavaH | mAmakAH pANDavAshchaiva kimakurvata sa~njaya ||",
    "velthuis": 'dharmak.setre kuruk.setre samavetaa yuyutsava.h | maamakaa.h paa.n.davaa"scaiva kimakurvata sa~njaya ||',
    "telugu": "ధర్మక్షేత్రే కురుక్షేత్రే సమవేతా యుయుత్సవః । మామకాః పాణ్డవాశ్చైవ కిమకుర్వత సఞ్జయ ॥",
    "kannada": "ಧರ್ಮಕ್ಷೇತ್ರೇ ಕುರುಕ್ಷೇತ್ರೇ ಸಮವೇತಾ ಯುಯುತ್ಸವಃ । ಮಾಮಕಾಃ ಪಾಣ್ಡವಾಶ್ಚೈವ ಕಿಮಕುರ್ವತ ಸಞ್ಜಯ ॥",
    "malayalam": "ധര്മക്ഷേത്രേ കുരുക്ഷേത്രേ സമവേതാ യുയുത്സവഃ । മാമകാഃ പാണ്ഡവാശ്ചൈവ കിമകുര്വത സഞ്ജയ ॥",
    "bengali": "ধর্মক্ষেত্রে কুরুক্ষেত্রে সমবেতা যুযুত্সবঃ । মামকাঃ পাণ্ডবাশ্চৈব কিমকুর্বত সঞ্জয ॥",
    "grantha": "𑌧𑌰𑍍𑌮𑌕𑍍𑌷𑍇𑌤𑍍𑌰𑍇 𑌕𑍁𑌰𑍁𑌕𑍍𑌷𑍇𑌤𑍍𑌰𑍇 𑌸𑌮𑌵𑍇𑌤𑌾 𑌯𑍁𑌯𑍁𑌤𑍍𑌸𑌵𑌃 । 𑌮𑌾𑌮𑌕𑌾𑌃 𑌪𑌾𑌣𑍍𑌡𑌵𑌾𑌶𑍍𑌚𑍈𑌵 𑌕𑌿𑌮𑌕𑍁𑌰𑍍𑌵𑌤 𑌸𑌞𑍍𑌜𑌯 ॥",
    "tamil": "த⁴ர்மக்ஷேத்ரே குருக்ஷேத்ரே ஸமவேதா யுயுத்ஸவ꞉ . மாமகா꞉ பாண்ட³வாஶ்சைவ கிமகுர்வத ஸஞ்ஜய ..",
}


def halves(verse: str) -> list[str]:
    return [half.strip() for half in verse.split(".") if half.strip()]


def letters(alphabet: str, least: int = 0, most: int = 3) -> st.SearchStrategy[str]:
    return st.text(st.sampled_from(alphabet), min_size=least, max_size=most)


# Anything that is spelled like a Sanskrit word: consonants, a vowel, perhaps a coda, several times.
syllable = st.builds(
    "{}{}{}".format, letters(sounds.CONSONANTS), st.sampled_from(sounds.VOWELS), st.sampled_from(["", "", "M", "H"])
)
word = st.builds("{}{}".format, st.lists(syllable, min_size=1, max_size=5).map("".join), letters("tnmdkp", most=1))
half_verse = st.lists(word, min_size=1, max_size=6).map(" ".join)
