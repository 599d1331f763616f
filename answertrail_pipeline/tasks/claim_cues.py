"""What sentences that are claims are made of, and what they are not: regular expressions by language.

Alternatives are separated by ` ; `.
"""

CUES: dict[str, dict[str, str]] = {
    "en": {
        "comparison": r"""
            than ; versus ; vs ; compared ; outperform\w* ; faster ; slower ; better ; worse ;
            cheaper ; bigger ; smaller ; stronger ; highest ; lowest ; most ; least ; increase[sd]?
            ; decrease[sd]? ; reduce[sd]? ; doubled? ; half ; times
        """,
        "opinion": r"""
            i (?:\w+ )?(?:think|thought|believe|believed|doubt|prefer|expect|hope|feel|agree|disagree|love|hate)
            ; i (?:was|am|'m) (?:wrong|right|sure|not sure|convinced) ; i will (?:never|not|always)
            ; best ; worst ; never ; always
            ; we (?:should|need|must|have to|believe) ; should ; must ; problem ; important ;
            crucial ; critical ; impressive ; overrated ; underrated ; wrong ; risk ;
            in my (?:view|opinion) ; the key ; bottleneck ; matters?
        """,
        "change": r"""
            no longer ; not anymore ; anymore ; used to ; instead of ; moved (?:to|from|away) ;
            switch\w* ; delay\w* ; postpone\w* ; decided ; agreed ; confirmed ; scheduled ; planned
            ; announced ; launched ; released ; introduced ; published ; acquired ; raised ; now ;
            already ; still ; yet ; became ; turned into ; will be ; is going to be
        """,
        "statement": r"""
            is ; are ; was ; were ; has ; have ; had ; does ; do ; did ; can ; cannot ; can't ; doesn't ;
            don't ; didn't ; isn't ; aren't ; makes? ; made ; costs? ; takes? ; took ; needs? ; gives? ;
            gave ; got ; holds? ; held ; went ; came ; covers? ; says ; said ; means ; because
            ; allows? ; enables? ; requires? ; shows? ; found ; built
            ; trained ; designed ; depends ; works ; supports? ; replaces? ; solves? ; fails? ;
            achieves? ; reaches
        """,
        "hanging": r"""
            it ; its ; it's ; this ; that ; that's ; they ; they're ; them ; he ; he's ; she ; she's
            ; these ; those ; there ; there's ; here ; here's ; which ; who ; what ; where ; when ;
            whatever ; him ; her ; his ; their ; the (?:first|second|third|other|same|latter) one
        """,
        "filler": r"""
            you know ; i mean ; kind of ; sort of ; i guess ; whatever ; blah ; or something ; uh ; um
        """,
        "noise": r"""
            thank(?:s| you) ; subscribe ; welcome (?:back|to) ; hello ; good morning ; see you ;
            share (?:this|your) (?:screen|video) ; can you (?:hear|see) ; hit the bell ;
            next episode ; comment section ; let's (?:go|move|jump|start|talk|look|see) ;
            any (?:other )?(?:questions|comments|thoughts) ; moving on ; in this (?:video|episode) ;
            link (?:in|below) ; your microphone ; on the call today ; next up ;
            please (?:share|comment|like|mute|unmute) ; (?:in|under) the (?:description|comments) ;
            before we (?:start|begin|go|continue|move) ; (?:take|have) a (?:short |quick |little )?break ;
            (?:come|get|be) (?:right )?back to (?:this|that|it) ; stay (?:with me|tuned) ; scroll ; thumbs up ;
            where was i ; as (?:i|we) (?:said|mentioned) ; for joining ; my (?:guest|slides?) ;
            (?:one|just a|give me a) (?:second|moment|minute) ; supports? the (?:channel|show|podcast)
            ; i'?ll (?:share|post|link|drop) ; my screen ; in the chat
        """,
        "opener": r"""
            so ; and ; but ; well ; yeah ; yes ; okay ; ok ; now ; right ; oh ; um ; uh ; like ;
            i mean ; you know ; basically ; actually ; of course ; again ; alright ; also ; then ;
            because ; plus ; anyway ; look ; see ; no ; sorry
        """,
    },
    "fr": {
        "comparison": r"""
            plus que ; moins que ; plus de ; moins de ; mieux ; pire ; meilleur\w* ; davantage ;
            autant ; double ; moitié ; fois ; augment\w+ ; diminu\w+ ; baiss\w+
        """,
        "opinion": r"""
            je (?:pense|crois|propose|refuse|dis|veux|suis (?:pour|contre|favorable|opposé)) ;
            il faut ; nous (?:devons|voulons|proposons|refusons) ; on doit ; important\w* ;
            inacceptable ; problème ; danger\w* ; injust\w+
        """,
        "change": r"""
            ne (?:\w+ )?plus ; désormais ; maintenant ; avant ; autrefois ; au lieu ; décidé ;
            annoncé ; publié ; voté ; adopté ; signé ; toujours
        """,
        "statement": r"""
            est une? ; sont ; signifie ; parce que ; permet\w* ; montre\w* ; dépend\w* ;
            représente\w* ; coûte\w* ; produi\w+
        """,
        "hanging": r"""
            il ; elle ; ils ; elles ; ça ; cela ; ceci ; c'est ; c'était ; ce ; celui ; celle ; ceux
            ; lui ; y ; en ; qui ; que ; dont ; où ; là ; voilà
        """,
        "filler": r"""
            euh ; ben ; bah ; hein ; quoi, ; tu vois ; vous voyez ; disons
        """,
        "noise": r"""
            merci ; bonjour ; bonsoir ; abonnez ; applaudissements ; mesdames ; bienvenue ;
            mes (?:chers )?amis ; au revoir
        """,
        "opener": r"""
            alors ; et ; mais ; donc ; bon ; bah ; ben ; eh bien ; oui ; non ; voilà ; enfin ; puis
            ; or ; car ; bref
        """,
    },
}
