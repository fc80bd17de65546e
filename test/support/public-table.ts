/**
 * An invented attribute table with the size and layout of the public one, the same for the same seed: 10 500
 * NCMs, 73 000 pairs, 1 300 attributes, about 16 MB. For measurements, never to test rules.
 */

export interface PublicTableSize {
  readonly seed?: number;
  readonly ncms?: number;
  readonly pairs?: number;
  readonly attributes?: number;
  readonly versao?: string;
}

const START = '2023-01-01';
const FORMAS = [
  'LISTA_ESTATICA',
  'LISTA_ESTATICA',
  'LISTA_ESTATICA',
  'LISTA_ESTATICA',
  'TEXTO',
  'TEXTO',
  'NUMERO_INTEIRO',
  'NUMERO_REAL',
  'BOOLEANO',
  'DATA',
  'COMPOSTO',
] as const;
const OBJECTIVE = [{ codigo: 7, descricao: 'Produto' }];
const PROSE =
  'Texto inventado para dar à tabela o tamanho da pública: descreve o atributo, diz quando se aplica e como se preenche, com acentuação e pontuação. ';

/** Returns the file as JSON text. */
export function publicTable(size: PublicTableSize = {}): string {
  const { seed = 1, ncms = 10_500, pairs = 73_000, attributes = 1_300, versao = '1' } = size;
  const random = generator(seed);
  const detalhesAtributos = Array.from({ length: attributes }, (_, index) =>
    detail(`ATT_${10_000 + index}`, random, 0),
  );
  const listaNcm = Array.from({ length: ncms }, (_, index) => ({
    codigoNcm: dotted(1_012_100 + index * 9_001),
    listaAtributos: [] as unknown[],
  }));
  for (let index = 0; index < pairs; index += 1) {
    // Each NCM gets neighbouring attributes, so that no attribute is repeated.
    const round = Math.floor(index / ncms);
    const ncm = listaNcm[index % ncms];
    const chosen = detalhesAtributos[((index % ncms) * 7 + round) % attributes];
    ncm?.listaAtributos.push({
      codigo: chosen?.codigo,
      modalidade: random() < 0.7 ? 'Importação' : 'Exportação',
      obrigatorio: random() < 0.5,
      multivalorado: random() < 0.1,
      dataInicioVigencia: START,
      ...(random() < 0.05 ? { dataFimVigencia: '2035-12-31' } : {}),
    });
  }
  return JSON.stringify({ versao, listaNcm, detalhesAtributos });
}

/** Mulberry32: small, fast, and the same on every platform. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function dotted(number: number): string {
  const digits = String(number).padStart(8, '0');
  return `${digits.slice(0, 4)}.${digits.slice(4, 6)}.${digits.slice(6)}`;
}

const NESTED_LISTS = 2;

function detail(
  codigo: string,
  random: () => number,
  depth: number,
): { codigo: string } & Record<string, unknown> {
  const pick = FORMAS[Math.floor(random() * FORMAS.length)] ?? 'TEXTO';
  const formaPreenchimento = pick === 'COMPOSTO' && depth > 0 ? 'TEXTO' : pick;
  const isList = formaPreenchimento === 'LISTA_ESTATICA';
  const conditions = isList && depth < NESTED_LISTS && random() < 0.4;
  const domainSize = isList ? 3 + Math.floor(random() * (random() < 0.02 ? 800 : 40)) : 0;
  return {
    codigo,
    nome: `Atributo inventado ${codigo}`,
    nomeApresentacao: `Inventado ${codigo}`,
    definicao: PROSE.repeat(8 + Math.floor(random() * 6)),
    orientacaoPreenchimento: PROSE,
    formaPreenchimento,
    ...(formaPreenchimento === 'TEXTO' || formaPreenchimento.startsWith('NUMERO')
      ? { tamanhoMaximo: 20 }
      : {}),
    ...(formaPreenchimento === 'NUMERO_REAL' ? { casasDecimais: 3 } : {}),
    dataInicioVigencia: START,
    dataFimVigencia: '',
    // For an attribute in a list of NCMs, its pair states both.
    ...(depth > 0 && { obrigatorio: random() < 0.5, multivalorado: false }),
    dominio: Array.from({ length: domainSize }, (_, index) => ({
      codigo: String(index + 1).padStart(2, '0'),
      descricao: `Valor inventado de número ${index + 1} do atributo`,
    })),
    objetivos: random() < 0.85 ? OBJECTIVE : [{ codigo: 3, descricao: 'Tratamento administrativo' }],
    orgaos: ['INVENTADO'],
    atributoCondicionante: conditions,
    condicionados: conditions
      ? [
          {
            obrigatorio: true,
            multivalorado: false,
            dataInicioVigencia: START,
            dataFimVigencia: '',
            descricaoCondicao: 'Valor 01 ou 02',
            condicao: {
              operador: '==',
              valor: '01',
              composicao: '||',
              condicao: { operador: '==', valor: '02' },
            },
            atributo: { ...detail(`${codigo}_${depth + 1}`, random, depth + 1), obrigatorio: true },
          },
        ]
      : [],
    listaSubatributos:
      formaPreenchimento === 'COMPOSTO'
        ? Array.from({ length: 3 }, (_, index) => detail(`${codigo}_S${index}`, random, depth + 2))
        : [],
  };
}
