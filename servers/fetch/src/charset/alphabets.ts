/** The frequent letters beyond ASCII of some languages, and the codes of these languages. */
export interface Alphabet {
  readonly letters: string;
  readonly languages: readonly string[];
}

export interface SingleByte {
  readonly name: string;
  readonly alphabets: readonly Alphabet[];
  /** the script of the letters, if it is not Latin */
  readonly script?: RegExp;
}

const cyrillic: Pick<SingleByte, 'alphabets' | 'script'> = {
  alphabets: [
    {
      letters: 'оеаинтсрвлкмдпуыяьгзбчйхжшюцщэфіїєґјљњћџђ',
      languages: ['ru', 'uk', 'bg', 'sr', 'mk', 'be'],
    },
  ],
  script: /\p{Script=Cyrillic}/u,
};
const greek: Pick<SingleByte, 'alphabets' | 'script'> = {
  alphabets: [{ letters: 'αοιετσνηυρπκμλςδγωθάέίόήύώχφβξζψ', languages: ['el'] }],
  script: /\p{Script=Greek}/u,
};
const arabic: Pick<SingleByte, 'alphabets' | 'script'> = {
  alphabets: [{ letters: 'ابتثجحخدذرزسشصضطظعغفقكلمنهوىيةأإآءئؤپچژگ،؛؟', languages: ['ar', 'fa', 'ur'] }],
  script: /[\p{Script=Arabic}،؛؟]/u,
};
const western: readonly Alphabet[] = [
  { letters: 'éèàùâêîôûçëï', languages: ['fr'] },
  { letters: 'äöüß', languages: ['de'] },
  { letters: 'áéíóúñüãõâêôàçèìòù', languages: ['es', 'pt', 'it', 'ca', 'gl'] },
  { letters: 'åäöæøé', languages: ['sv', 'da', 'no', 'nb', 'nn', 'fi'] },
  { letters: 'áéíóúýþðæö', languages: ['is', 'fo'] },
];
const central: readonly Alphabet[] = [
  { letters: 'ąćęłńóśźż', languages: ['pl'] },
  { letters: 'áčďéěíňóřšťúůýžľĺŕäô', languages: ['cs', 'sk'] },
  { letters: 'áéíóöőúüű', languages: ['hu'] },
  { letters: 'čćđšž', languages: ['hr', 'sl', 'bs'] },
  { letters: 'ăâîşţ', languages: ['ro'] },
];

/** Single-byte encodings that are guessed; the likelier of two that fit comes first. */
export const singleBytes: readonly SingleByte[] = [
  { name: 'windows-1252', alphabets: western },
  { name: 'windows-1251', ...cyrillic },
  { name: 'koi8-u', ...cyrillic },
  { name: 'iso-8859-5', ...cyrillic },
  { name: 'ibm866', ...cyrillic },
  { name: 'windows-1250', alphabets: central },
  { name: 'iso-8859-2', alphabets: central },
  { name: 'windows-1253', ...greek },
  { name: 'iso-8859-7', ...greek },
  { name: 'windows-1254', alphabets: [{ letters: 'ğüşıöçâİ', languages: ['tr', 'az'] }] },
  {
    name: 'windows-1255',
    alphabets: [{ letters: 'אבגדהוזחטיכלמנסעפצקרשתםןץףך', languages: ['he', 'iw', 'yi'] }],
    script: /\p{Script=Hebrew}/u,
  },
  { name: 'windows-1256', ...arabic },
  { name: 'iso-8859-6', ...arabic },
  {
    name: 'windows-1257',
    alphabets: [
      { letters: 'ąčęėįšųūž', languages: ['lt'] },
      { letters: 'āčēģīķļņšūž', languages: ['lv'] },
      { letters: 'äõöüšž', languages: ['et'] },
    ],
  },
  {
    name: 'windows-1258',
    alphabets: [{ letters: 'ăâđêôơưáàéèíóúù\u0300\u0301\u0303\u0309\u0323', languages: ['vi'] }],
  },
  {
    name: 'windows-874',
    alphabets: [{ letters: 'กขคงจชซดตถทนบปผพมยรลวศสหอะัาำิีึืุูเแโใไ็่้๊์', languages: ['th'] }],
    script: /\p{Script=Thai}/u,
  },
];

export interface MultiByte {
  readonly name: string;
  /** characters that occur in every such text */
  readonly typical: ReadonlySet<string> | RegExp;
  /** their share of the characters beyond ASCII */
  readonly share: number;
  readonly languages: readonly string[];
}

const simplified =
  '的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定行学法所民得经十三之进着等部度家电力里如水化高自二理起小物现实加量都两体制机当使点从业本去把性好应开它合还因由其些然前外天政四日那社义事平形相全表间样与关各重新线内数正心反你明看原又么利比或但质气第向道命此变条只没结解问意建月公无系，。、“”《》：；';
const traditional =
  '的一是在不了有和人這中大為上個國我以要他時來用們生到作地於出就分對成會可主發年動同工也能下過子說產種面而方後多定行學法所民得經十三之進著等部度家電力裡如水化高自二理起小物現實加量都兩體制機當使點從業本去把性好應開它合還因由其些然前外天政四日那社義事平形相全表間樣與關各重新線內數正心反你明看原又麼利比或但質氣第向道命此變條只沒結解問意建月公無系，。、「」《》：；';
const kana = /[\u3041-\u30FF、。「」]/;

/** Multi-byte encodings that are guessed. */
export const multiBytes: readonly MultiByte[] = [
  { name: 'gbk', typical: new Set(simplified), share: 0.5, languages: ['zh'] },
  { name: 'big5', typical: new Set(traditional), share: 0.5, languages: ['zh'] },
  { name: 'shift_jis', typical: kana, share: 0.6, languages: ['ja'] },
  { name: 'euc-jp', typical: kana, share: 0.6, languages: ['ja'] },
  { name: 'euc-kr', typical: /[\uAC00-\uD7A3]/, share: 0.95, languages: ['ko'] },
];

const multiByteNames: ReadonlySet<string> = new Set([
  ...multiBytes.map(({ name }) => name),
  'gb18030',
  'iso-2022-jp',
]);

/** Returns whether an encoding is multi-byte, other than those of Unicode. */
export function isMultiByte(name: string): boolean {
  return multiByteNames.has(name);
}
