"""Words that carry no topic, by language: articles, pronouns, auxiliaries, and what speakers fill gaps with."""

_LISTS = {
    "en": """
        a about above after again against ah all also am an and any are aren as at be because been before being
        below between both but by can cannot could couldn d did didn do does doesn doing don down during each er
        few for from further going gonna had hadn has hasn have haven having he her here hers herself him
        himself his how i if in into is isn it its itself just kind like ll m me more most much my myself no nor
        not of off oh okay on once only or other our ours ourselves out over own re really right s same she
        should shouldn so some such t than that the their theirs them themselves then there these they this
        those through to too uh um under until up very ve was wasn we well were weren what when where which
        while who whom whose why will with won would wouldn yeah yes you your yours yourself yourselves
    """,
    "de": """
        aber alle allem allen aller alles als also am an ander andere anderen auch auf aus äh ähm bei beim bin
        bis bist da damit dann das dass dem den denn der des dessen die dies diese diesem diesen dieser dieses
        doch dort du durch ein eine einem einen einer eines er es etwas euch euer für gegen gewesen hab habe
        haben hat hatte hatten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in ist ja jede
        jedem jeden jeder jetzt kann kein keine keinem keinen können könnte mal man mein meine mich mir mit nach
        nicht nichts noch nun nur ob oder ohne schon sehr sein seine seinem seinen seiner selbst sich sie sind
        so soll sollte sondern über um und uns unser unter vom von vor war waren warum was weil welche welcher
        wenn wer werde werden wie wieder will wir wird wo würde würden zu zum zur zwar zwischen
    """,
    "fr": """
        à ai ainsi alors as au aussi autre aux avait avec avez avoir avons bah ben bien bon c ça car ce ceci
        cela celle celles celui ces cet cette ceux chez ci comme comment d dans de des donc dont du elle elles
        en encore entre es est et étaient étais était été être eu eux euh fait faire faut hein il ils j je l la
        là le les leur leurs lui m ma mais me même mes mon n ne ni nos notre nous on ont ou où par parce pas peu
        peut plus pour pourquoi qu quand que quel quelle quelles quels qui quoi s sa sans se sera ses si soit
        son sont sous suis sur t ta te tes toi ton tous tout toute toutes très tu un une va voilà vos votre vous
        y
    """,
    "es": """
        a al algo ahí ante antes aquí así aunque bueno cada como cómo con contra cual cuál cuando cuándo de del
        desde donde dónde dos durante e el él ella ellas ellos en entonces entre era eran eres es esa esas ese
        eso esos esta está estaba están estar estas este esto estos estoy fue fueron ha había han has hasta hay
        he la las le les lo los más me mi mí mis mucho muy nada ni no nos nosotros nuestra nuestro o os otra
        otro para pero poco por porque pues que qué quien quién se sea ser si sí sin sobre son soy su sus
        también te tener tiene tienen todo todos tu tú tus un una uno unos usted va vamos y ya yo
    """,
    "it": """
        a ad ai agli al alla alle allo anche ancora avere aveva c che chi ci come con contro cosa così cui d da
        dagli dai dal dalla dalle dallo degli dei del della delle dello di dove e è ecco ed era erano essere fa
        fare fra gli ha hai hanno ho i il in io l la le lei li lo loro lui ma me mi mia mio molto ne negli nei
        nel nella nelle nello no noi non nostra nostro o ogni per perché però più poi può qua quale quando
        quanto quella quelle quelli quello questa queste questi questo qui quindi sarà se sei si sì sia siamo
        sono sta stato su sua sue sugli sui sul sulla sulle suo te ti tra tu tua tuo tutti tutto un una uno va
        vi voi
    """,
    "pt": """
        a à ao aos aquela aquele aqui as às até bem com como da das de dela dele deles depois do dos e é ela
        elas ele eles em então entre era eram essa esse esta está estamos estão estar estava este eu foi for
        foram gente há isso isto já lá lhe mais mas me mesmo meu meus minha muito na não nas né nem no nos nós
        nossa nosso num numa o os ou para pela pelas pelo pelos por porque pra qual quando que quem se seja sem
        ser seu seus só são sobre sua suas também te tem têm tinha tudo um uma umas uns vai você vocês vou
    """,
    "nl": """
        aan al alle als altijd andere ben bij daar dan dat de deze die dit doch doen door dus een eens eh en er
        ge geen had hebben hebt heeft heel hem het hier hij hoe hun ik in is ja je jij jullie kan kunnen maar me
        meer men met mij mijn moet na naar niet niets nog nu of om omdat ons onze ook op over te tegen toch toen
        tot u uit uw van veel voor want waren was wat we wel werd wie wij wil worden wordt zal ze zei zelf zich
        zij zijn zo zonder zou
    """,
    "ru": """
        а без более бы был была были было быть в вам вас весь во вот все всё всего вы где да даже для до его ее
        её если есть еще ещё же за здесь и из или им их к как какой ко когда кто ли либо мне может мы на над
        надо наш не него нее неё нет ни них но ну о об он она они оно от по под при про с сам свой со так также
        такой там тебя то того тоже только том тот ту ты у уже чего чем что чтобы эта эти это этого этой этом
        этот я
    """,
}  # fmt: skip

STOP_WORDS: dict[str, frozenset[str]] = {language: frozenset(words.split()) for language, words in _LISTS.items()}
"""Lower-case words by language code; a language that is absent has none."""
