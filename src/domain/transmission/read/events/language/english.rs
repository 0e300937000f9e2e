//! English.

use super::Words;

pub(super) const ALL: [Words; 1] = [Words {
    before: r"
        days?|total|tot|used|recd|received|sent|so|and|well|ok|okay|yes|no|oh|but|hence|thus|therefore|thanks
        thank you|thank you very much|many thanks|now|here|finally|with this( move)?|with that|with regret
        with pleasure|with thanks|with a heavy heart|sadly|unfortunately|regretfully|gladly|hereby|of course
        well played|good game|i think it is time to|i think its time to
        after (a |much |some )?(long |careful )?(thought|thinking|think|analysis)|it is time to|its time to|time to
        i also|also|at this point|after this( move)?|because|in this (position|game)|this is|sorry|dear \w+|hi \w+
        hello \w+|hi|hello|hey|alas|then so|please|so then|anyway|you win|great game|nice game
    ",
    behind: r"
        here|now|the game|this game|our game|thanks|thank you|many thanks|thank you very much|with thanks
        for the (nice |good |great |interesting |hard |long )?(game|fight|battle)
        for (the|a) (nice|good|great|interesting) (game|fight)|congratulations|congrats|and congratulations
        and congratulate you|and thank you( for (it|the game))?|and thanks( for the game)?|well played|good game
        on (your|the|a) (fine |nice |well deserved )?(win|victory|play)|if you are|if you agree|if you like
        if you want|if you wish|if you do|if thats ok( with you)?|again|once more|to you|at this point
        in this (position|game)|with this move|with (my|the) move|too|as well|of course|best wishes|best regards
        regards|cheers|greetings|_10|_01|_half|and you win|you win|to your|you have won|sir|madam|gladly|happily
        with pleasure|hereby|immediately|without further play|instead of playing on|for it|and
        sent|received|rec|recd|days?|total|used|in view of the position|with it|for a (while|bit|little while)|a (bit|little) longer|for now|for the moment
        perhaps|on the spot
    ",
    offer: r"
        (i|we) (would like to |want to |wish to |do |hereby |now |gladly |can |would |therefore |also |again |am happy to |am glad to )*(offer|propose|suggest)( you)?( a| the)? draw( offer)?
        id (like|love|be (happy|glad)) to (offer|propose|suggest)( you)?( a)? draw|ill offer( you)?( a)? draw
        let me (offer|propose|suggest)( you)?( a)? draw|im (offering|proposing)( you)?( a)? draw
        i am (offering|proposing)( you)?( a)? draw|offering( you)?( a)? draw
        (id|i would) be (happy|glad|content) with a draw( here)? if you (are|agree)
        (with |and )?(a |my |the )?draw offer|(a )?draw (is )?offered|draw proposed|offers?( a)? draw
        (here is|this is) my move with (a|my) draw offer|draw proposal|(black|white) offers( a)? draw
        (this is|here is|my move comes with|it comes with|i make|i am making) a draw offer|with an? offer of a draw
        my move (is|comes) with a draw offer
    ",
    asks: r"
        (a )?draw|draw (here|now|ok|agreed|anyone)|(how|what) about (a|calling it a|agreeing to a|agreeing a) draw
        (shall|should|can|could|may|might) (we|i) (call it a|agree (to |on )?a|offer( you)? a|propose( you)? a|suggest a|make it a) draw
        lets (call it|agree (to|on)?|make it) ?a draw|(do you )?(agree to|care for|fancy) a draw|call it a draw
        agree a draw|peace
    ",
    accept: r"
        (i|we) (do |hereby |gladly |happily |can |will |also |now |would like to |am happy to |am glad to |willingly )*(accept|take)( gladly| happily)? (the|your|a|this)( kind| nice| generous)? (draw( offer)?|offer of a draw|draw proposal|proposal of a draw|peace offer)( gladly| happily)?
        (i|we) (do |gladly |happily |can |will )*agree (to|on|with) (a|the|your) draw( offer)?
        draw (is )?(accepted|agreed)|agreed( to)?( a)? draw|accepts( the| a)? draw|draw it is
        your draw( offer)? is accepted|im happy to accept (the|your) draw( offer)?|its a draw then
        accepting (the|your) draw( offer)?|(the|your) draw( offer)? (i|we) (gladly |happily )?accept
        (the|your) (draw( offer)?|offer of a draw|draw proposal) (is|has been) (gladly |happily )?accepted|your offer of a draw is accepted
    ",
    decline: r"
        (i|we) (must |have to |will |would like to |would rather |do |hereby |respectfully |politely |want to |am going to |ll )*(decline|refuse|reject)( (the|your|a|this)( kind| nice| generous)?( draw)?( offer)?( of a draw)?)?
        (i have to|ill|i must) (decline|refuse)( (the|your) draw( offer)?)?
        draw (offer )?(is )?(declined|refused|rejected)|your draw( offer)? is declined|declined
        declines( the| a)? draw|no draw (for now|yet|but i play on)
        (i|we) (will |prefer to |want to |would like to |would prefer to |would rather |shall |d rather |d like to |still )*(play|fight) on
        (id|ill) (rather |like to |prefer to )*(play|fight|continue)( on)?
        (i|we) (will |prefer to |want to |would like to |would prefer to |would rather )+continue( playing)?
        (i|we) (do not|dont|cannot|cant|will not|wont|can not) (want to |wish to )?(accept|take|agree (to|with)) (the|your|a)( kind)? (draw( offer)?|offer of a draw)
    ",
    resign: r"
        (i|we) (have to |must |hereby |now |will |do |am going to |shall |want to |would like to |better |had better |can only |therefore |decided to |have decided to |gladly |also |duly |am forced to |here )*(resign|give up)( now| here)?
        im resigning|i am resigning|ill resign|id better resign|resign|resigns|i surrender|i capitulate
        i throw in the towel|i lay down my king|i tip (over )?my king|i concede|i abandon the game|black resigns
        white resigns|(i|we) (must |have to )?concede( the game)?|you win|you have won( the game)?
        (my )?(warm |hearty )?(congratulations|congrats) (on|for) (your|the) (win|victory)|give up
        (the )?game is yours
    ",
    draw_key: r"draws?|half a point|halve the point|_half|peace offer|split the point",
    accept_key: r"i (\w+ )?(\w+ )?(accept|take|agree)|accept (the|your) offer|draw (accepted|agreed)",
    resign_key: r"
        resign|resigns|resigning|resigned|resignation|i give up|giving up|give up|you win|i am lost|im lost
        i surrender|i concede|you have won|throw in the towel
    ",
    no_draw: r"
        draw (your|my|his|our|the attention|attention|the line|a (line|card|lesson|conclusion|diagram|picture|blank|breath)|conclusions?|the (board|diagram|position|curtain)|near|up|on|back|upon|out|for the|of the|from)
        (a|the) (theoretical|dead|book|certain|clear|easy|sure|perpetual|positional|known|technical|likely) draw
        (will|can|could|to|i|we|you|they) draw|(prize|lottery|cup|tournament|pairing|lucky) draws?|luck of the draw
        the draw (for|of)|draws (near|to)|many draws|draws|a draw (against|with) (him|her|them)|fight for a draw
        (better|worse|more|less) than a draw|not a draw|playing for a draw|play for a draw|hold a draw|reach a draw
        (was|were|felt) (\w+ )?(tempted|inclined|about to|going to|hoping) (\w+ )*draw
        (almost|nearly) (\w+ )*draw|(people|players|others|many|most|some) would (\w+ )*draw|a draw would be (unfair|unjust|a pity|a shame|too|bad)
        only a draw|(is|was) (probably |objectively |theoretically )?a draw (with|after|by)|please no draw
        no draw offers?|quick on the draw|ended in a draw
    ",
    no_resignation: r"
        would be (\w+ )?(silly|foolish|early|cowardly|absurd|stupid|wrong) to (resign|give up)
        (was|were) (\w+ )?(going|about|ready|tempted|inclined|close) (to|of) (resign|resigning|give up)
        (people|players|others|many|most|anyone|anybody|somebody|someone|engines?) would (\w+ )?(resign|give up)
        resign(ed|s|ing)? (myself|himself|herself|yourself|themselves|ourselves|to (my|the|his|her|it|fate)|as|my (job|post|office|membership)|from (my|his|her|the) (job|post|office|work|board|club))
        (is|are|am|was|be|feel|felt|i am|im) resigned
        you (should|could|must|can|may|might|will|would|have to|had to|ought to)( now| soon)? resign
        (will|do|are|would|did|should|could) you (\w+ )?resign(ing)?
        (he|she|they|who|opponent|player|\w+er|\w+son) (\w+ )?(resigns|resigned)|president|minister|chairman
        letter of resignation|resignation (of|from|letter)|resignation coloured|_10 (down|up|in|ahead|behind|lead)
        _01 (down|up|in|behind)|(won|lost|led|leads|beat \w+|win|lose|score of|is|was) (_10|_01)
        (should|if|when) you win|you win (some|the|a|more)|i am lost (for|in|without|on)|im lost (for|in)|lost in
        (gave|given) up|(why|how) (should|would|could) i|(nearly|almost) resigned|resigned from
        (\w*[a-df-hj-z]|\w*[a-uw-z]e) resigned|players would resign|never give up|dont give up
        give up (smoking|coffee|hope|the (pawn|queen|rook|knight|bishop|exchange|initiative)|a (pawn|piece|rook)|my (pawn|queen|rook|job)|chess|all)
        resignation coloured houses
    ",
    negation: r"
        not|dont|wont|never|no|cant|too (early|soon)|premature|cannot|without|isnt|wouldnt|nor|neither|didnt|doesnt|refuse to|too early to
        far from
    ",
    condition: r"if|unless|when|in case|should you|provided|whenever|as soon as|until|before",
    elsewhere: r"
        other game|another game|other games|team match|against|vs|versus
        last (year|week|month|round|game|season|time|summer|winter)|yesterday|years? ago|weeks? ago|was a draw
        were drawn|ended|ended in|next round|lottery|cup|football|soccer|team|(was|were|had) a draw|used to|in 9 i
        league|the club|the match
    ",
}];
