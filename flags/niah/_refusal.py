"""What a response does not say: refusals and negations in four languages, found before anything is matched."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_FEW = r"(?:[\w'’]+\s+){0,4}"
_REFUSALS = re.compile(
    "|".join(
        (
            # English
            r"\b(?:can\s?not|can['’]?t|could\s?n['’]?t|could\s+not|do(?:es)?\s?n['’]?t|do(?:es)?\s+not|did\s?n['’]?t|did\s+not"
            rf"|unable\s+to|not\s+able\s+to|won['’]t|will\s+not)\s+{_FEW}(?:know|find|locate|determine|answer|see|provide"
            r"|identify|tell|say|help|assist|access|verify|confirm|mention|contain|state|specify|include|give|disclose"
            r"|share|recall|comply|have)\b",
            r"\b(?:is|are|was|were|be)(?:\s+not|n['’]t)\s+(?:\w+\s+){0,2}(?:mentioned|stated|provided|given|specified|found"
            r"|available|included|present|contained|known|in\s+the\s+(?:document|text|context))\b",
            r"\bno\s+(?:\w+\s+)?(?:information|mention|record|reference|answer|data|idea|such)\b",
            r"\bnot\s+(?:mentioned|specified|stated|available|found|known|provided|given|sure)\b",
            r"\b(?:unknown|insufficient\s+(?:information|context)|I\s+refuse|I\s+decline|must\s+decline)\b|\bn/a\b",
            # German
            r"\b(?:kann|können|konnte|könnte|darf|weiß|weiss|finde)\s+(?:[\w-]+\s+){0,8}?(?:nicht|keine?n?)\b",
            r"\b(?:wird|ist|sind|steht|wurde|geht)\s+(?:[\w-]+\s+){0,6}?nicht\s+(?:\w+\s+){0,3}?(?:erwähnt|angegeben|genannt"
            r"|enthalten|bekannt|verfügbar|zu\s+finden|hervor|im\s+(?:text|dokument))\b",
            r"\bkeine\s+(?:angaben?|informationen|information|daten|antwort|ahnung)\b|\bunbekannt\b",
            r"\bnicht\s+(?:im\s+(?:text|dokument)|enthalten|angegeben|erwähnt|bekannt|auffindbar)\b",
            # French
            r"\bpas\s+(?:\w+\s+){0,2}(?:donn|mentionn|indiqu|précis|trouv|fourni|disponib|connu)\w*",
            r"\b(?:ne|n['’])\s*(?:[\w'’]+\s+){0,3}?(?:sais|peux|trouve|connais|dispose|parviens|mentionne|contient|précise"
            r"|indique|fournit|figure)\b",
            r"\bn['’](?:est|a|ai)\s+(?:\w+\s+){0,3}?(?:mentionnée?|indiquée?|précisée?|trouvée?|fournie?|disponible|connue?)\b",
            r"\baucune\s+(?:information|mention|donnée|réponse|idée)\b|\binconnue?\b|\bimpossible\s+de\b",
            # Italian
            r"\bnon\s+(?:\w+\s+){0,2}?(?:riesco|posso|so|conosco|trovo|trovato|grado|contiene|menziona|specifica|indica"
            r"|fornisce|riporta)\b",
            r"\bnon\s+(?:è|viene|è\s+stat[oa])\s+(?:\w+\s+){0,2}?(?:menzionat|indicat|specificat|presente|disponibile|not)\w*",
            r"\bnessuna\s+(?:informazione|menzione|risposta|idea)\b|\bsconosciut[oa]\b",
        )
    ),
    re.IGNORECASE,
)
_APOLOGIES = re.compile(
    r"\b(?:sorry|apologi[sz]e|tut\s+mir\s+leid|désolée?|mi\s+dispiace|as\s+an\s+ai)\b", re.IGNORECASE
)
_CONTRAST = r"\b(?:but|however|yet|aber|jedoch|doch|sondern|mais|cependant|ma|però|tuttavia|bensì|rather)\b"
_CLAUSE_END = re.compile(rf"(?<=[.!?])\s+|(?<=。)|\n+|;\s|(?:,\s*)?{_CONTRAST},?", re.IGNORECASE)

_IDIOMS = re.compile(
    r"\b(?:no\s+doubt|not\s+only|without\s+(?:any\s+|a\s+)?doubt|not\s+surprisingly|whether\s+or\s+not|if\s+not"
    r"|nicht\s+nur|ohne\s+zweifel|pas\s+seulement|non\s+seulement|sans\s+(?:aucun\s+)?doute|pas\s+de\s+doute|non\s+solo"
    r"|senza\s+(?:alcun\s+)?dubbio)\b",
    re.IGNORECASE,
)
_NEGATION = re.compile(
    r"(?:\b(?:not|never|neither|nor|rather\s+than|instead\s+of|without|anything\s+but|doubt(?:\s+that)?"
    r"|(?:false|wrong|incorrect)\s+to"
    r"|nicht|kein\w*|niemals|nie|weder|statt|anstatt|anstelle"
    r"|pas|jamais|ni|aucun\w*|au\s+lieu\s+de|plutôt\s+que"
    r"|non|né|invece\s+di|anziché|nessun\w*)\b(?!-)|n['’]t\b|\bno\s+(?:(?:value|number|code|such)\s+)?(?=[\d\"“]))"
    r"(?P<scope>.*?)(?=[,;:!?()—–\n]|\.(?:\s|$)|\s+" + _CONTRAST + r"|$)",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"(?:^|(?<=[.,;:!?\n]))(?P<scope>[^.,;:!?\n]*(?:[.,]\d[^.,;:!?\n]*)*?)"
    r"(?:\b(?:is|was|are|ist|war|est|è)\s*(?:n['’]t|not|nicht|pas|non)\s+(?:the\s+|a\s+|der\s+|die\s+|das\s+|la\s+|le\s+|il\s+)?"
    r"(?:right|correct|answer|value|case|richtig\w*|korrekt|antwort|wert|bonne|correcte?|réponse|valeur|so)\b"
    r"|\bn['’]est\s+pas\s+(?:la|le|correct)\w*|\bnon\s+è\s+(?:la|il|corrett|giust)\w*"
    r"|\b(?:is|was|ist|est|è)\s+(?:wrong|incorrect|false|falsch|fausse?|sbagliat[oa]|errat[oa])\b|\bstimmt\s+nicht\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True)
class Said:
    """What a response affirms; `denied` is what it negates, `refuses` whether it declines to answer."""

    text: str
    denied: str
    refuses: bool


def affirmed(text: str) -> Said:
    """Return a text without its refusing clauses and without what it negates."""
    kept, refuses = [], False
    for clause in _clauses(text):
        if _REFUSALS.search(_IDIOMS.sub(" ", clause)):
            refuses = True
        else:
            kept.append(clause)
    said = _IDIOMS.sub(" ", "".join(kept))
    denied: list[str] = []

    def deny(found: re.Match[str]) -> str:
        denied.append(found["scope"])
        return " "

    said = _NEGATION.sub(deny, _DENIED.sub(deny, said))
    return Said(text=said.strip(), denied=" ".join(denied).strip(), refuses=refuses or bool(_APOLOGIES.search(text)))


def _clauses(text: str) -> Iterator[str]:
    start = 0
    for end in _CLAUSE_END.finditer(text):
        yield text[start : end.end()]
        start = end.end()
    yield text[start:]
