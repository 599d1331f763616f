"""Words too general to name a topic, whatever a speech is about; by language, lower case."""

_LISTS = {
    "en": """
        able absolutely across actual actually additional ago agree ah almost along already alright
        also always amazing amount another answer anybody anymore anyone anything anyway april area
        aren't around ask aspect august away awesome back bad based basic basically bear beautiful
        become becomes becoming begin begins behind best better beyond big biggest billion billions
        bit bottom bring built bunch call called came can't cannot care case cases certain chance
        change changed changes cheaper check choose clear clearly close come comes coming comment
        comments common complete completely concept concrete confirm conversation cool correct
        couldn't couple course crazy critical cup curious current currently day days deal dear
        december definitely detail details didn't difference different difficult discuss discussion
        doesn't don't due easier easily easy effort either else end ends enough entire especially
        etc even eventually ever every everybody everybody's everyone everything exact exactly
        example examples exciting existing experience extra fact fair fairly far fast faster
        february feel feeling feels field final fine first five focus folks follow following form
        forward found four friday front full fun fundamental future general generally get gets
        getting give given gives giving glad go goal goes good got gotcha great group guess guest
        guy guys half hand happen happened happening happens happy hard hasn't haven't he's head
        hear heard hello help helpful helps hey hi high higher hmm hour hours huge hundred hundreds
        i'd i'll i'm i've idea ideas imagine important including incredible incredibly individual
        initial inside instance instead interested interesting interview intro isn't issue issues
        it's item january job join july june keep keeps key kinds know known knows large larger last
        late later latest lead learn leave left less let let's level life likely line link list
        listen literally little live long longer look looked looking looks lot lots love low lower
        made main major make makes making man manage manner many march massive matter may maybe mean
        meaning means meet meeting mention mentioned message middle might million millions mind
        minute minutes mister moment monday monday's month months morning move moving mr ms much
        multiple must name necessarily need needed needs neither never new news next nice nobody
        none nope normal note nothing notice november now number numbers obviously october often oh
        ok okay old one ones onto opinion option options order original others outside overall
        own page part particular particularly parts pass past path pay people per percent perfect
        perhaps period person personal phase pick piece place plan play please plus podcast point
        points position possible possibly potential potentially power powerful pretty previous
        previously probably problem problems process progress project proper properly put question
        questions quick quickly quite raise rather reach read ready real reality realize reason
        reasonable reasons recent recently regard regarding related remember respect rest result
        results rid room round run running sad sake saturday say saying says second seconds section
        see seem seems seen sense sentence separate september series serious set seven several shape
        share she's shift short should shouldn't show shows side significant similar simple simply
        since single situation six size slower small smaller somebody somehow someone something
        sometimes somewhat somewhere soon sorry sort sorts sound sounds space speak special specific
        specifically stage stand start started starting starts state stay step steps still stop
        story straight strong stuff style subject sunday super suppose supposed sure table take
        taken takes taking talk talked talking talks task tell ten term terms thank thanks that's
        there's they'll they're they've thing things think thinking third thought thoughts thousand
        thousands three thursday time times today today's together tomorrow ton tonight took top
        topic topics total totally tough towards track true truly truth try trying tuesday turn two
        type types uh um understand understanding update updates upon use used useful uses using
        usual usually value various version versus via video videos view wait wanna want wanted
        wants wasn't watch way ways we'd we'll we're we've website wednesday week weeks welcome went
        weren't what's whatever whenever wherein whether while whilst whole wise wish within without
        won't wonder wonderful word words work worked working works world worse worst worth wouldn't
        wow write wrong year years yep yesterday yet you'd you'll you're you've yup zero
    """,
    "fr": """
        abord absolument accord affaire ah aller alors année années années-là ans après argument
        arriver aujourd'hui autant autres avant beaucoup besoin bonjour bonne bonsoir bout bref
        c'est cas celle-là cent certain certaine certains cesse changer chaque charge cher chers
        chez chose choses cinq clair conséquent contraire coup cours croire crois créer côté d'abord
        d'accord d'ailleurs davantage dehors demain demande demander depuis dernier dernière
        derrière dessous dessus deux deuxième devant devenir dire dis disant dit dix doit doivent
        donner doute début effet eh enfin ensemble ensuite entendre envie exemple face façon fin
        fois fond force genre gens grand grande grandes grands gros général haut heure heures hier
        histoire homme hommes huit ici idée idées important instant jamais jour jours juste laquelle
        lequel lesquelles lesquels lieu loin long longtemps lors lui là-bas madame mai main
        maintenant mal manière matin merci mesdames messieurs mettre mieux mille milliard milliards
        million millions mme moi moins mois moment monde monsieur mot mots n'est neuf nom nombre non
        nouveau nouvelle oh oui parce parler parole part particulier partie partir partout passe
        passer payer pays peine pendant pense penser petit petite petits peut-être peuvent place
        plusieurs point pourrait pouvait pouvez pouvoir premier première prendre prise problème
        problèmes prochain produire propos propre près puisque qu'on quatre quelque quelques
        question questions raison rapport regarder reste revenir rien rire régler répondre sais sait
        savez savoir semaine sens sept seul seule seulement simplement six soi soir sort sorte
        sortir sous suite sujet surtout tant tel telle temps tenu terme toi toucher toujours tour
        train travailler trois troisième trouve trouver truc type tête uns venir vers veut veux vie
        vient vingt vivre voilà voir vois voit voter voulez vrai vraiment vue
    """,
}

GENERIC_WORDS: dict[str, frozenset[str]] = {
    language: frozenset(words.split()) for language, words in _LISTS.items()
}
"""Lower-case words by language code; a language that is absent has none."""
