const PHRASES = [
  'read (?:more|also|next|on|further)|also read|see also|related(?: \\p{L}+)?(?:$|:)|more (?:from|in|on|about|stories|news)',
  'you (?:may|might) (?:also )?(?:like|be interested)|recommended|watch(?: also)?:|don.t miss|sign up (?:for|to)|subscribe (?:to|now)',
  'follow (?:us|the) |share (?:this|on)|(?:leave|post|write) a (?:reply|comment)|(?:\\d+ )?comments?(?:$|:)',
  'latest (?:news|stories|articles)|popular (?:posts|articles)|click here to',
  'mehr (?:zum thema|zu |dazu)|lesen sie (?:auch|mehr|hier)|lies auch|weiterlesen|zum weiterlesen|siehe auch|auch interessant|das könnte',
  'passend dazu|ähnliche|verwandte|weiterführende|weitere (?:aktuelle )?(?:themen|artikel|beiträge|news|nachrichten|meldungen|tipps|links|touren)',
  'neueste (?:artikel|beiträge)|kommentare?(?:$|:| sind)|teilen(?:$| sie| mit)|(?:den )?(?:artikel|beitrag) (?:mit anderen )?teilen',
  'jetzt (?:abonnieren|anmelden)|newsletter|schlagw[oö]rter|tags?:',
  'à lire aussi|lire aussi|lire la suite|voir aussi|sur le même (?:sujet|thème)|articles? (?:liés|similaires)|partager|crédits? photos?|commentaires?(?:$|:)',
  'lea? también|lea? además|te puede interesar|puedes ver|mire:|vea también|ver también|ver más|relacionad[oa]s?(?:$|:)',
  'artículos relacionados|compartir|síguenos|más (?:sobre|noticias|en)|leia (?:também|mais)|veja também',
  'leggi anche|potrebbe interessarti|articoli correlati|condividi|czytaj (?:też|także|również|więcej)|zobacz (?:też|także|również)',
  'lees ook|läs (?:också|mer|även)|lue (?:myös|lisää)|les også|læs også',
];
const ELSEWHERE = new RegExp(`^(?:${PHRASES.join('|')})`, 'iu');

/** Returns whether a line or heading announces other pages, or asks the reader for something. */
export function leadsElsewhere(text: string): boolean {
  return ELSEWHERE.test(text);
}
