/** fast-check arbitraries: a table in the public layout, and a product that is valid under it by construction. */
import fc from 'fast-check';

export const DAY = '2026-11-20';
export const NCM = '05040011';

/** Description of an attribute in the public layout, with the loose types of a file. */
export interface FileDetail {
  codigo: string;
  nomeApresentacao: string;
  formaPreenchimento: string;
  tamanhoMaximo?: number;
  casasDecimais?: number;
  mascara?: string;
  dataInicioVigencia: string;
  dataFimVigencia: string;
  obrigatorio?: boolean;
  dominio: { codigo: string; descricao: string }[];
  objetivos: { codigo: number; descricao: string }[];
  condicionados: FileConditional[];
  listaSubatributos: FileDetail[];
}
export interface FileConditional {
  obrigatorio: boolean;
  multivalorado: boolean;
  dataInicioVigencia: string;
  dataFimVigencia: string;
  descricaoCondicao: string;
  condicao: FileCondition;
  atributo: FileDetail;
}
export interface FileCondition {
  operador: string;
  valor: string;
  composicao?: string;
  condicao?: FileCondition;
}
export interface FilePair {
  codigo: string;
  modalidade: string;
  obrigatorio: boolean;
  multivalorado: boolean;
  dataInicioVigencia: string;
  dataFimVigencia?: string;
}
export interface File {
  versao: string;
  listaNcm: { codigoNcm: string; listaAtributos: FilePair[] }[];
  detalhesAtributos: FileDetail[];
}

export interface Lists {
  atributos: { atributo: string; valor: string }[];
  atributosMultivalorados: { atributo: string; valores: string[] }[];
  atributosCompostos: { atributo: string; valores: { atributo: string; valor: string }[] }[];
  atributosCompostosMultivalorados: { atributo: string; valores: { atributo: string; valor: string }[][] }[];
}

export interface Sample {
  readonly file: File;
  readonly lists: Lists;
}

type Simple =
  | { forma: 'LISTA_ESTATICA' | 'DOMINIO_DINAMICO'; codes: string[] }
  | { forma: 'BOOLEANO' | 'DATA' | 'DATA_HORA' }
  | { forma: 'NUMERO_INTEIRO'; size: number }
  | { forma: 'NUMERO_REAL'; size: number; decimals: number }
  | { forma: 'TEXTO' | 'LISTA_TABX_FILTRO'; size: number }
  | { forma: 'TEXTO'; mask: string };

const simple: fc.Arbitrary<Simple> = fc.oneof(
  fc.record({
    forma: fc.constantFrom('LISTA_ESTATICA' as const, 'DOMINIO_DINAMICO' as const),
    codes: fc.uniqueArray(fc.stringMatching(/^[0-9]{2}$/), { minLength: 2, maxLength: 15 }),
  }),
  fc.record({ forma: fc.constantFrom('BOOLEANO' as const, 'DATA' as const, 'DATA_HORA' as const) }),
  fc.record({ forma: fc.constant('NUMERO_INTEIRO' as const), size: fc.integer({ min: 1, max: 18 }) }),
  fc.record({
    forma: fc.constant('NUMERO_REAL' as const),
    size: fc.integer({ min: 4, max: 18 }),
    decimals: fc.integer({ min: 0, max: 3 }),
  }),
  fc.record({
    forma: fc.constantFrom('TEXTO' as const, 'LISTA_TABX_FILTRO' as const),
    size: fc.integer({ min: 1, max: 30 }),
  }),
  fc.record({ forma: fc.constant('TEXTO' as const), mask: fc.stringMatching(/^[9AX./-]{3,10}$/) }),
);

const character = fc.constantFrom(...Array.from('abcXYZ019 áç€🐟'));

/** Generates a value that the attribute accepts. */
export function valueOf(kind: Simple): fc.Arbitrary<string> {
  switch (kind.forma) {
    case 'LISTA_ESTATICA':
    case 'DOMINIO_DINAMICO':
      return fc.constantFrom(...kind.codes);
    case 'BOOLEANO':
      return fc.constantFrom('true', 'false');
    case 'DATA':
      return day;
    case 'DATA_HORA':
      return fc.tuple(day, fc.integer({ min: 0, max: 23 })).map(([d, hour]) => `${d}T${pad(hour)}:05:59`);
    case 'NUMERO_INTEIRO':
      return fc
        .tuple(fc.boolean(), fc.bigInt({ min: 0n, max: 10n ** BigInt(kind.size) - 1n }))
        .map(([minus, n]) => (minus ? '-' : '') + n);
    case 'NUMERO_REAL':
      return fc
        .tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: kind.decimals }))
        .chain(([n, count]) =>
          fc
            .nat({ max: 10 ** count - 1 })
            .map((d) => (count === 0 ? String(n) : `${n}.${String(d).padStart(count, '0')}`)),
        );
    default:
      return 'mask' in kind
        ? fc
            .array(fc.nat({ max: 9 }), { minLength: kind.mask.length, maxLength: kind.mask.length })
            .map((digits) =>
              Array.from(kind.mask, (place, index) => filled(place, digits[index] ?? 0)).join(''),
            )
        : fc.array(character, { minLength: 1, maxLength: kind.size }).map((parts) => parts.join(''));
  }
}

const pad = (n: number): string => String(n).padStart(2, '0');
const day = fc
  .tuple(
    fc.integer({ min: 1900, max: 2100 }),
    fc.integer({ min: 1, max: 12 }),
    fc.integer({ min: 1, max: 28 }),
  )
  .map(([y, m, d]) => `${y}-${pad(m)}-${pad(d)}`);

const filled = (place: string, digit: number): string =>
  place === '9' ? String(digit) : place === 'A' ? 'abcdefghij'.charAt(digit) : place === 'X' ? '#' : place;

function detailOf(codigo: string, kind: Simple): FileDetail {
  return {
    codigo,
    nomeApresentacao: `Nome de ${codigo}`,
    formaPreenchimento: kind.forma,
    ...('size' in kind ? { tamanhoMaximo: kind.size } : {}),
    ...('decimals' in kind ? { casasDecimais: kind.decimals } : {}),
    ...('mask' in kind ? { mascara: kind.mask } : {}),
    dataInicioVigencia: '2020-01-01',
    dataFimVigencia: '',
    dominio: 'codes' in kind ? kind.codes.map((code) => ({ codigo: code, descricao: `Valor ${code}` })) : [],
    objetivos: [{ codigo: 7, descricao: 'Produto' }],
    condicionados: [],
    listaSubatributos: [],
  };
}

/** Generates a condition over the codes of a list. */
const condition = (codes: string[]): fc.Arbitrary<FileCondition> =>
  fc
    .array(
      fc.record({
        operador: fc.constantFrom('==', '!=', '>', '>=', '<', '<='),
        valor: fc.constantFrom(...codes),
        composicao: fc.constantFrom('||', '&&'),
      }),
      { minLength: 1, maxLength: 4 },
    )
    .map((terms) => {
      let whole: FileCondition | undefined;
      for (const { operador, valor, composicao } of terms.reverse())
        whole = whole === undefined ? { operador, valor } : { operador, valor, composicao, condicao: whole };
      return whole as FileCondition;
    });

/** Evaluates a condition as the contract defines it; a second implementation, for two-digit codes only. */
export function holds(condition: FileCondition, value: string): boolean {
  const [a, b] = [Number(value), Number(condition.valor)];
  const result =
    { '==': a === b, '!=': a !== b, '>': a > b, '>=': a >= b, '<': a < b, '<=': a <= b }[
      condition.operador
    ] ?? false;
  if (condition.condicao === undefined) return result;
  const rest = holds(condition.condicao, value);
  return condition.composicao === '||' ? result || rest : result && rest;
}

interface Drawn {
  readonly kind: Simple;
  readonly required: boolean;
  readonly multi: boolean;
  readonly present: boolean;
  readonly values: string[];
}

const drawn: fc.Arbitrary<Drawn> = simple.chain((kind) =>
  fc.record({
    kind: fc.constant(kind),
    required: fc.boolean(),
    multi: fc.boolean(),
    present: fc.boolean(),
    values: fc.uniqueArray(valueOf(kind), { minLength: 1, maxLength: 4 }),
  }),
);

const compound = fc.record({
  required: fc.boolean(),
  multi: fc.boolean(),
  present: fc.boolean(),
  subs: fc.array(drawn, { minLength: 1, maxLength: 4 }),
  groups: fc.integer({ min: 1, max: 5 }),
});

/** Generates a list attribute that conditions a second one, which conditions a third. */
const conditionedAttributes = fc
  .uniqueArray(fc.stringMatching(/^[0-9]{2}$/), { minLength: 2, maxLength: 6 })
  .chain((codes) =>
    fc.record({
      codes: fc.constant(codes),
      multi: fc.boolean(),
      values: fc.uniqueArray(fc.constantFrom(...codes), { minLength: 1, maxLength: 3 }),
      first: condition(codes),
      second: condition(codes),
      middle: fc.record({ required: fc.boolean(), present: fc.boolean(), value: fc.constantFrom(...codes) }),
      last: drawn,
    }),
  );

/** Adds a value to the list of its attribute. */
function put(lists: Lists, atributo: string, multi: boolean, values: string[]): void {
  if (multi) lists.atributosMultivalorados.push({ atributo, valores: values });
  else lists.atributos.push({ atributo, valor: values[0] ?? '' });
}

export const sample: fc.Arbitrary<Sample> = fc
  .record({
    plain: fc.array(drawn, { minLength: 1, maxLength: 6 }),
    compounds: fc.array(compound, { maxLength: 2 }),
    chains: fc.array(conditionedAttributes, { maxLength: 2 }),
  })
  .map(({ plain, compounds, chains }) => {
    const details: FileDetail[] = [];
    const pairs: FilePair[] = [];
    const lists: Lists = {
      atributos: [],
      atributosMultivalorados: [],
      atributosCompostos: [],
      atributosCompostosMultivalorados: [],
    };
    const add = (detail: FileDetail, obrigatorio: boolean, multivalorado: boolean): void => {
      details.push(detail);
      pairs.push({
        codigo: detail.codigo,
        modalidade: 'Importação',
        obrigatorio,
        multivalorado,
        dataInicioVigencia: '2020-01-01',
      });
    };
    plain.forEach((item, index) => {
      const codigo = `ATT_P${index}`;
      add(detailOf(codigo, item.kind), item.required, item.multi);
      if (item.required || item.present) put(lists, codigo, item.multi, item.values);
    });
    compounds.forEach((item, index) => {
      const codigo = `ATT_C${index}`;
      const listaSubatributos = item.subs.map((sub, at) => ({
        ...detailOf(`${codigo}_S${at}`, sub.kind),
        obrigatorio: sub.required,
      }));
      add(
        { ...detailOf(codigo, { forma: 'BOOLEANO' }), formaPreenchimento: 'COMPOSTO', listaSubatributos },
        item.required,
        item.multi,
      );
      if (!item.required && !item.present) return;
      const group = item.subs.flatMap((sub, at) =>
        sub.required || sub.present || at === 0
          ? [{ atributo: `${codigo}_S${at}`, valor: sub.values[0] ?? '' }]
          : [],
      );
      if (item.multi)
        lists.atributosCompostosMultivalorados.push({
          atributo: codigo,
          valores: Array.from({ length: item.groups }, () => structuredClone(group)),
        });
      else lists.atributosCompostos.push({ atributo: codigo, valores: group });
    });
    chains.forEach((item, index) => {
      const codigo = `ATT_L${index}`;
      const list = { forma: 'LISTA_ESTATICA' as const, codes: item.codes };
      const link = (condicao: FileCondition, obrigatorio: boolean, multi: boolean, atributo: FileDetail) => ({
        obrigatorio,
        multivalorado: multi,
        dataInicioVigencia: '2020-01-01',
        dataFimVigencia: '',
        descricaoCondicao: '',
        condicao,
        atributo,
      });
      const last = detailOf(`${codigo}_2`, item.last.kind);
      const middle = detailOf(`${codigo}_1`, list);
      middle.condicionados.push(link(item.second, item.last.required, item.last.multi, last));
      const first = detailOf(codigo, list);
      first.condicionados.push(link(item.first, item.middle.required, false, middle));
      add(first, true, item.multi);
      const values = item.multi ? item.values : item.values.slice(0, 1);
      put(lists, codigo, item.multi, values);
      if (!values.some((value) => holds(item.first, value)) || !(item.middle.required || item.middle.present))
        return;
      put(lists, middle.codigo, false, [item.middle.value]);
      if (holds(item.second, item.middle.value) && (item.last.required || item.last.present))
        put(lists, last.codigo, item.last.multi, item.last.values);
    });
    const file = {
      versao: '1',
      listaNcm: [{ codigoNcm: '0504.00.11', listaAtributos: pairs }],
      detalhesAtributos: details,
    };
    return { file, lists };
  });
