import { readFileSync } from 'node:fs';
import { createMultibyteEncoder } from '@exodus/bytes/multi-byte.js';
import { createSinglebyteEncoder } from '@exodus/bytes/single-byte.js';
import { describe, expect, test } from 'vitest';
import { decodeText } from '../../src/charset/decode.ts';

function vectors<T>(name: string): Record<string, T> {
  return JSON.parse(readFileSync(new URL(`./vectors/${name}.json`, import.meta.url), 'utf8')) as Record<
    string,
    T
  >;
}

const labels = vectors<string[]>('labels');
const singleByte = vectors<string>('single-byte');
const multiByte = vectors<{ bytes: string; text: string }>('multi-byte');
const high = Uint8Array.from({ length: 128 }, (_, index) => index + 0x80);
const latin = (text: string) => Buffer.from(text, 'latin1');
const plain = (bytes: Uint8Array, contentType?: string) => decodeText(bytes, { contentType, markup: 'none' });
const html = (bytes: Uint8Array, contentType?: string) => decodeText(bytes, { contentType, markup: 'html' });
const xml = (bytes: Uint8Array, contentType?: string) => decodeText(bytes, { contentType, markup: 'xml' });

describe('every encoding of the standard', () => {
  test('all 228 labels lead to their encoding, in any case', () => {
    const wrong: string[] = [];
    let tried = 0;
    for (const [name, all] of Object.entries(labels))
      for (const label of all) {
        tried += 1;
        // bytes that are valid only in the declared encoding are not needed, because nothing contradicts these
        const bytes = name.startsWith('utf-16') ? latin('\0a') : latin('a');
        for (const spelt of [label, label.toUpperCase(), `"${label}"`])
          if (plain(bytes, `text/plain; charset=${spelt}`).charset.name !== name) wrong.push(spelt);
      }
    expect([tried, wrong]).toEqual([228, []]);
  });

  test('all bytes of all 28 encodings of one byte come out as the standard has them', () => {
    expect(Object.keys(singleByte)).toHaveLength(28);
    for (const [name, text] of Object.entries(singleByte)) {
      const decoded = plain(high, `text/plain; charset=${name}`);
      expect(decoded.text, name).toBe(text);
      expect(decoded.charset, name).toEqual({
        name,
        from: 'header',
        replaced: text.split('\uFFFD').length - 1,
      });
    }
  });

  test('samples of all others are decoded as the standard defines', () => {
    const names = Object.keys(labels).filter((name) => !(name in singleByte) && name !== 'replacement');
    expect(Object.keys(multiByte).toSorted()).toEqual(names.toSorted());
    for (const [name, { bytes, text }] of Object.entries(multiByte)) {
      const decoded = plain(Buffer.from(bytes, 'hex'), `text/plain; charset=${name}`);
      expect(decoded, name).toEqual({ text, charset: { name, from: 'header', replaced: 0 } });
    }
  });

  test('an ambiguous encoding is not decoded', () => {
    expect(plain(latin('a~{<:Ky~}'), 'text/html; charset=hz-gb-2312')).toEqual({
      text: '\uFFFD',
      charset: { name: 'replacement', from: 'header', replaced: 1 },
    });
  });
});

describe('declared encodings', () => {
  test('a byte order mark counts more than the header, and is no part of the text', () => {
    const marked = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('é')]);
    expect(plain(marked, 'text/plain; charset=koi8-r')).toEqual({
      text: 'é',
      charset: { name: 'utf-8', from: 'bom', replaced: 0 },
    });
    expect(plain(Buffer.from('fffe41000104', 'hex'))).toEqual({
      text: 'AЁ',
      charset: { name: 'utf-16le', from: 'bom', replaced: 0 },
    });
    expect(plain(Buffer.from('feff00410401', 'hex')).text).toBe('AЁ');
  });

  test('the header takes precedence over the page', () => {
    const page = latin('<meta charset=koi8-r>\xd0');
    expect(html(page, 'text/html; charset=windows-1251').charset.name).toBe('windows-1251');
    expect(html(page, 'text/html').charset).toEqual({ name: 'koi8-r', from: 'meta', replaced: 0 });
    expect(html(page, 'text/html; charset=no-such-thing').charset.name).toBe('koi8-r');
  });

  test.each([
    ['<meta charset="windows-1251">', 'windows-1251'],
    ["<META CHARSET = 'cp1251'/>", 'windows-1251'],
    ['<meta\n charset=windows-1251 name=x>', 'windows-1251'],
    ['<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">', 'windows-1251'],
    ['<meta content=\'text/html; charset = "windows-1251"\' http-equiv=content-type>', 'windows-1251'],
    ['<!-- <meta charset=koi8-r> --><meta charset=windows-1251>', 'windows-1251'],
    ['<!-- a > b <meta charset=koi8-r> --><meta charset=windows-1251>', 'windows-1251'],
    ['<!--><meta charset=windows-1251>', 'windows-1251'],
    ['<p title="<meta charset=koi8-r>"><meta charset=windows-1251>', 'windows-1251'],
    ['<? <meta charset=koi8-r><meta charset=windows-1251>', 'windows-1251'],
    ['<meta charset=nonsense><meta charset=windows-1251>', 'windows-1251'],
    ['<meta charset=x-user-defined>', 'windows-1252'],
    ['<?xml version="1.0" encoding="windows-1251"?><html>', 'windows-1251'],
    ['<?xml version="1.0" encoding="koi8-r"?><meta charset=windows-1251>', 'windows-1251'],
    ['<meta charset=windows-1251 charset=koi8-r>', 'windows-1251'],
    ['<meta content="text/html; charset=koi8-r"><meta charset=windows-1251>', 'windows-1251'],
    ['<meta name=charset content=koi8-r><metacharset=koi8-r><meta/charset=windows-1251>', 'windows-1251'],
  ])('the page declares it: %s', (markup, name) => {
    const { charset } = html(latin(`${markup}\xd0\xd1 \xe2`));
    expect(charset).toEqual({ name, from: 'meta', replaced: 0 });
  });

  test('a page that declares UTF-16 in ASCII means UTF-8', () => {
    expect(html(Buffer.from('<meta charset=utf-16>é'))).toEqual({
      text: '<meta charset=utf-16>é',
      charset: { name: 'utf-8', from: 'meta', replaced: 0 },
    });
  });

  test('a declaration after the first 1,024 bytes counts only if the text is not UTF-8', () => {
    const late = (text: string) => latin(`<head>${' '.repeat(1100)}<meta charset=koi8-r>${text}`);
    expect(html(late('\xd0\xd2\xc9')).charset).toEqual({ name: 'koi8-r', from: 'meta', replaced: 0 });
    expect(html(late('only ascii')).charset).toEqual({ name: 'utf-8', from: 'utf-8', replaced: 0 });
  });

  test('XML declares it only in its declaration', () => {
    expect(xml(latin('<?xml version="1.0" encoding=\'koi8-r\'?><a>\xd0\xd1 \xe2</a>')).charset.name).toBe(
      'koi8-r',
    );
    expect(xml(latin('<a><meta charset="koi8-r"/>a</a>')).charset).toEqual({
      name: 'utf-8',
      from: 'utf-8',
      replaced: 0,
    });
    const wide = Buffer.from('<?xml version="1.0" encoding="utf-16"?><a>é</a>', 'utf16le');
    expect(xml(wide)).toEqual({
      text: '<?xml version="1.0" encoding="utf-16"?><a>é</a>',
      charset: { name: 'utf-16le', from: 'meta', replaced: 0 },
    });
  });
});

describe('wrong declarations', () => {
  test('a wrong UTF-8 header is reported, and the declaration of the page is used', () => {
    const page = Buffer.concat([
      latin('<meta charset=windows-1251>'),
      createSinglebyteEncoder('windows-1251')('Привет, мир'),
    ]);
    expect(html(page, 'text/html; charset=utf-8')).toEqual({
      text: '<meta charset=windows-1251>Привет, мир',
      charset: { name: 'windows-1251', from: 'meta', replaced: 0, declaredAs: 'utf-8' },
    });
  });

  test('a wrong UTF-8 in header and page is reported, and the encoding is guessed', () => {
    const page = latin('<meta charset=utf-8><p>Un caf\xe9 \x93tr\xe8s\x94 chaud');
    expect(html(page, 'text/html; charset=utf-8')).toEqual({
      text: '<meta charset=utf-8><p>Un café “très” chaud',
      charset: { name: 'windows-1252', from: 'guess', replaced: 0, declaredAs: 'utf-8' },
    });
  });

  test('valid UTF-8 is not decoded in a declared single-byte encoding', () => {
    for (const decoded of [
      plain(Buffer.from('naïve – yes'), 'text/plain; charset=iso-8859-1'),
      html(Buffer.from('<meta charset=iso-8859-1>naïve – yes')),
    ]) {
      expect(decoded.text).toMatch(/naïve – yes$/);
      expect(decoded.charset).toEqual({
        name: 'utf-8',
        from: 'utf-8',
        replaced: 0,
        declaredAs: 'windows-1252',
      });
    }
  });

  test('a Chinese encoding in the header of UTF-8 bytes is overruled by the page', () => {
    const page = Buffer.from(`<meta charset=utf-8>${'中文网页，内容很多。'.repeat(20)}!`);
    expect(html(page, 'text/html; charset=gbk').charset).toEqual({
      name: 'utf-8',
      from: 'meta',
      replaced: 0,
      declaredAs: 'gbk',
    });
  });

  test('UTF-8 with a few broken characters is decoded as UTF-8, and they are counted', () => {
    const page = Buffer.concat([
      Buffer.from('Über größere Straßen führen schöne Wege – “früh”. '.repeat(3)),
      latin('\xe9 \xff'),
    ]);
    const { text, charset } = plain(page, 'text/plain; charset=utf-8');
    expect(charset).toEqual({ name: 'utf-8', from: 'header', replaced: 2 });
    expect(text.endsWith('\uFFFD \uFFFD')).toBe(true);
  });

  test('replacement characters of the source are not counted', () => {
    expect(plain(Buffer.from('a\uFFFDb')).charset.replaced).toBe(0);
    const words = 'größere Straßen führen über schöne Wege '.repeat(3);
    expect(
      plain(Buffer.concat([Buffer.from(`${words}\uFFFD`), latin('\xff')]), 'a/b; charset=utf-8').charset
        .replaced,
    ).toBe(1);
    expect(plain(Buffer.from('\uFEFFa\uFFFDb', 'utf16le')).charset.replaced).toBe(0);
  });
});

/** Article 1 of the Universal Declaration of Human Rights. */
const article: Record<string, string> = {
  fr: 'Tous les êtres humains naissent libres et égaux en dignité et en droits. Ils sont doués de raison et de conscience et doivent agir les uns envers les autres dans un esprit de fraternité.',
  de: 'Alle Menschen sind frei und gleich an Würde und Rechten geboren. Sie sind mit Vernunft und Gewissen begabt und sollen einander im Geiste der Brüderlichkeit begegnen.',
  es: 'Todos los seres humanos nacen libres e iguales en dignidad y derechos y, dotados como están de razón y conciencia, deben comportarse fraternalmente los unos con los otros.',
  pl: 'Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw. Są oni obdarzeni rozumem i sumieniem i powinni postępować wobec innych w duchu braterstwa.',
  cs: 'Všichni lidé rodí se svobodní a sobě rovní co do důstojnosti a práv. Jsou nadáni rozumem a svědomím a mají spolu jednat v duchu bratrství.',
  hu: 'Minden emberi lény szabadon születik és egyenlő méltósága és joga van. Az emberek, ésszel és lelkiismerettel bírván, egymással szemben testvéri szellemben kell hogy viseltessenek. Mindenki, bármely megkülönböztetés nélkül.',
  tr: 'Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar. Akıl ve vicdana sahiptirler ve birbirlerine karşı kardeşlik zihniyeti ile hareket etmelidirler.',
  ru: 'Все люди рождаются свободными и равными в своем достоинстве и правах. Они наделены разумом и совестью и должны поступать в отношении друг друга в духе братства.',
  uk: 'Всі люди народжуються вільними і рівними у своїй гідності та правах. Вони наділені розумом і совістю і повинні діяти у відношенні один до одного в дусі братерства.',
  el: 'Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα. Είναι προικισμένοι με λογική και συνείδηση, και οφείλουν να συμπεριφέρονται μεταξύ τους με πνεύμα αδελφοσύνης.',
  he: 'כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם. כולם חוננו בתבונה ובמצפון, לפיכך חובה עליהם לנהוג איש ברעהו ברוח של אחוה.',
  ar: 'يولد جميع الناس أحرارا متساوين في الكرامة والحقوق. وقد وهبوا عقلا وضميرا وعليهم أن يعامل بعضهم بعضا بروح الإخاء.',
  th: 'มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ ต่างมีเหตุผลและมโนธรรม และควรปฏิบัติต่อกันด้วยเจตนารมณ์แห่งภราดรภาพ',
  lt: 'Visi žmonės gimsta laisvi ir lygūs savo orumu ir teisėmis. Jiems suteiktas protas ir sąžinė ir jie turi elgtis vienas kito atžvilgiu kaip broliai.',
  zh: '人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。',
  'zh-tw': '人人生而自由，在尊嚴和權利上一律平等。他們賦有理性和良心，並應以兄弟關係的精神相對待。',
  ja: 'すべての人間は、生れながらにして自由であり、かつ、尊厳と権利とについて平等である。人間は、理性と良心とを授けられており、互いに同胞の精神をもって行動しなければならない。',
  ko: '모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. 인간은 천부적으로 이성과 양심을 부여받았으며 서로 형제애의 정신으로 행동하여야 한다.',
};

const unnamed: readonly (readonly [language: string, encoding: string])[] = [
  ['fr', 'windows-1252'],
  ['de', 'windows-1252'],
  ['es', 'windows-1252'],
  ['pl', 'windows-1250'],
  ['pl', 'iso-8859-2'],
  ['cs', 'windows-1250'],
  ['cs', 'iso-8859-2'],
  ['hu', 'windows-1250'],
  ['tr', 'windows-1254'],
  ['ru', 'windows-1251'],
  ['ru', 'koi8-r'],
  ['ru', 'iso-8859-5'],
  ['ru', 'ibm866'],
  ['uk', 'windows-1251'],
  ['uk', 'koi8-u'],
  ['el', 'windows-1253'],
  ['el', 'iso-8859-7'],
  ['he', 'windows-1255'],
  ['ar', 'windows-1256'],
  ['th', 'windows-874'],
  ['lt', 'windows-1257'],
  ['zh', 'gbk'],
  ['zh-tw', 'big5'],
  ['ja', 'shift_jis'],
  ['ja', 'euc-jp'],
  ['ja', 'iso-2022-jp'],
  ['ko', 'euc-kr'],
];

function encodeAs(encoding: string, text: string): Uint8Array {
  return encoding in singleByte
    ? createSinglebyteEncoder(encoding)(text)
    : createMultibyteEncoder(encoding as 'gbk')(text);
}

describe('undeclared encodings', () => {
  test.each(unnamed)('a text in %s is detected from bytes in %s', (language, encoding) => {
    const text = article[language]!;
    const decoded = plain(encodeAs(encoding, text), 'text/plain');
    expect(decoded.text).toBe(text);
    expect(decoded.charset).toMatchObject({ from: 'guess', replaced: 0 });
  });

  test.each(unnamed)('a page in %s is detected from bytes in %s', (language, encoding) => {
    const text = `<!doctype html><title>Page</title><div class="a"><p>${article[language]!}</p></div>`;
    expect(html(encodeAs(encoding, text)).text).toBe(text);
  });

  test('a word with one accent is Western, unless the language of the page says otherwise', () => {
    expect(plain(latin('caf\xe9'))).toEqual({
      text: 'café',
      charset: { name: 'windows-1252', from: 'guess', replaced: 0 },
    });
    const page = (language: string) => html(latin(`<html lang="${language}"><p>\xea`)).text.at(-1);
    expect([page('fr'), page('pl'), page('is-IS')]).toEqual(['ê', 'ę', 'ê']);
  });

  test('UTF-16 without a byte order mark is detected by its zero bytes', () => {
    expect(plain(Buffer.from('plain text, wide', 'utf16le'))).toEqual({
      text: 'plain text, wide',
      charset: { name: 'utf-16le', from: 'guess', replaced: 0 },
    });
  });

  test('UTF-8 with an incomplete last character is UTF-8', () => {
    const { text, charset } = plain(Buffer.from('größer und schöner €').subarray(0, -1));
    expect([text.startsWith('größer und schöner'), charset]).toEqual([
      true,
      { name: 'utf-8', from: 'utf-8', replaced: 1 },
    ]);
  });

  test('no bytes and random bytes decode to some text', () => {
    expect(plain(new Uint8Array(0))).toEqual({
      text: '',
      charset: { name: 'utf-8', from: 'utf-8', replaced: 0 },
    });
    let state = 7;
    const random = () => {
      state = (state * 1103515245 + 12345) % 2 ** 31;
      return state >>> 16;
    };
    for (let length = 1; length < 200; length++) {
      const bytes = Uint8Array.from({ length }, random);
      for (const decoded of [plain(bytes), html(bytes, 'text/html; charset=utf-8'), xml(bytes)])
        expect(decoded.text).toBeTypeOf('string');
    }
  });
});
