/**
 * Computes what changed in an attribute from one table to the next, at all levels (contract section 8):
 * plain JSON.
 */
import type {
  AttributeDetail,
  Conditional,
  DomainItem,
  Objective,
  Pair,
  PairModalidade,
} from '../words/model.ts';
import type {
  Alteration,
  Changed,
  ChangedConditional,
  ChangedDomainItem,
  ChangedList,
  PairAlteration,
} from './model.ts';

/** Returns the alteration of an attribute's description. */
export function alterationOf(was: AttributeDetail, is: AttributeDetail): Alteration {
  const dominio = changedList(was.dominio, is.dominio, codeOf, changedDomainItem);
  const condicionados = changedList(
    was.condicionados,
    is.condicionados,
    ({ atributo }) => atributo.codigo,
    changedConditional,
  );
  const listaSubatributos = changedList(was.listaSubatributos, is.listaSubatributos, codeOf, alterationOf);
  return {
    codigo: is.codigo,
    ...changedTexts(textsOf(was), textsOf(is)),
    ...(dominio && { dominio }),
    ...(condicionados && { condicionados }),
    ...(listaSubatributos && { listaSubatributos }),
  };
}

const MODALITIES: readonly PairModalidade[] = ['Importação', 'Exportação'];

/**
 * Returns the alterations of an attribute in one NCM, one for each changed pair; for a changed description,
 * at least one per modality.
 * An alteration of an attribute in both modalities names its own. Pairs of the same modality are compared in
 * the order of their first days.
 */
export function pairAlterations(
  were: readonly Pair[],
  are: readonly Pair[],
  isDescribedAnew: boolean,
): PairAlteration[] {
  const differing = MODALITIES.map((modality) => differingPairs(were, are, modality));
  // An extra pair of one modality and a missing one of the other are one pair that changed its modality.
  const came = differing.flatMap(([before, after]) => after.slice(before.length));
  const went = differing.flatMap(([before, after]) => before.slice(after.length));
  const matched: (readonly [Pair | undefined, Pair | undefined])[] = [
    ...differing.flatMap(([before, after]) => zipped(before, after)),
    ...Array.from(
      { length: Math.max(came.length, went.length) },
      (_, index) => [went[index], came[index]] as const,
    ),
  ];
  const modalities = MODALITIES.filter((modality) => are.some(({ modalidade }) => modalidade === modality));
  const isInBoth = modalities.length > 1;
  const changed = matched.map(([was, is]) => ({
    ...(isInBoth && sameModality((is ?? was)?.modalidade)),
    ...changedTexts(was && pairTexts(was), is && pairTexts(is)),
  }));
  if (!isDescribedAnew) return changed;
  const changedModalities = new Set(matched.map(([was, is]) => (is ?? was)?.modalidade));
  const unchanged = modalities.filter((modality) => !changedModalities.has(modality));
  return [...changed, ...unchanged.map((modality) => (isInBoth ? sameModality(modality) : {}))];
}

/** Returns the pairs of a modality that only one of two tables has, in the order of their first days. */
function differingPairs(
  were: readonly Pair[],
  are: readonly Pair[],
  modality: PairModalidade,
): readonly [readonly Pair[], readonly Pair[]] {
  const rest = (pairs: readonly Pair[], others: readonly Pair[]) => {
    const otherTexts = new Set(others.map(textOf));
    return pairs
      .filter((pair) => pair.modalidade === modality && !otherTexts.has(textOf(pair)))
      .toSorted((a, b) => (a.dataInicioVigencia < b.dataInicioVigencia ? -1 : 1));
  };
  return [rest(were, are), rest(are, were)];
}

const sameModality = (modality: PairModalidade = 'Importação'): PairAlteration => ({
  modalidade: { valorAnterior: modality, valorAtual: modality },
});

/** Members of a description that a pair also has: the pair's value counts. */
const OF_PAIR: ReadonlySet<string> = new Set([
  'modalidade',
  'obrigatorio',
  'multivalorado',
  'dataInicioVigencia',
  'dataFimVigencia',
]);

/** Returns the changes of one attribute in an NCM: those of the description, and those of the pair. */
export const ofNcm = (
  codigo: string,
  described: Alteration | undefined,
  pair: PairAlteration,
): Alteration => ({
  ...Object.fromEntries(Object.entries(described ?? {}).filter(([name]) => !OF_PAIR.has(name))),
  ...pair,
  codigo,
});

const codeOf = ({ codigo }: { readonly codigo: string }): string => codigo;
const textOf = (value: unknown): string => JSON.stringify(value);

const zipped = <T>(before: readonly T[], after: readonly T[]): (readonly [T, T])[] =>
  after.slice(0, before.length).map((is, index) => [before[index] as T, is] as const);

type Texts = Readonly<Record<string, string | null>>;

function changedTexts(was: Texts | undefined, is: Texts | undefined): Readonly<Record<string, Changed>> {
  const names = Object.keys(was ?? is ?? {});
  return Object.fromEntries(
    names
      .map((name) => [name, { valorAnterior: was?.[name] ?? null, valorAtual: is?.[name] ?? null }] as const)
      .filter(([, { valorAnterior, valorAtual }]) => valorAnterior !== valorAtual),
  );
}

const orNull = (text: string): string | null => (text === '' ? null : text);

const textsOf = (detail: AttributeDetail): Texts => ({
  nome: orNull(detail.nome),
  definicao: orNull(detail.definicao),
  nomeApresentacao: orNull(detail.nomeApresentacao),
  orientacaoPreenchimento: orNull(detail.orientacaoPreenchimento),
  formaPreenchimento: detail.formaPreenchimento,
  tamanhoMaximo: numberOf(detail.tamanhoMaximo),
  mascara: orNull(detail.mascara ?? ''),
  casasDecimais: numberOf(detail.casasDecimais),
  obrigatorio: String(detail.obrigatorio),
  dataInicioVigencia: orNull(detail.dataInicioVigencia),
  dataFimVigencia: orNull(detail.dataFimVigencia),
  objetivos: joined(detail.objetivos.map(objectiveText)),
  orgaos: joined(detail.orgaos),
  atributoCondicionante: String(detail.atributoCondicionante),
});

const numberOf = (value: number | undefined): string | null => (value === undefined ? null : String(value));
const joined = (texts: readonly string[]): string | null => orNull(texts.join(', '));
const objectiveText = ({ codigo, descricao }: Objective): string =>
  descricao === '' ? String(codigo) : descricao;

const pairTexts = (pair: Pair): Texts => ({
  modalidade: pair.modalidade,
  obrigatorio: String(pair.obrigatorio),
  multivalorado: String(pair.multivalorado),
  dataInicioVigencia: orNull(pair.dataInicioVigencia),
  dataFimVigencia: orNull(pair.dataFimVigencia),
});

/** Returns `undefined` if both lists are equal. Items with the same code are compared in their order. */
function changedList<Item, Changes>(
  were: readonly Item[],
  are: readonly Item[],
  keyOf: (item: Item) => string,
  changeOf: (was: Item, is: Item) => Changes,
): ChangedList<Changes> | undefined {
  const [before, after] = [grouped(were, keyOf), grouped(are, keyOf)];
  const adicionado: string[] = [];
  const excluido: string[] = [];
  const alterado: Changes[] = [];
  for (const code of new Set([...before.keys(), ...after.keys()])) {
    const [olds, news] = [before.get(code) ?? [], after.get(code) ?? []];
    const isIn = (items: readonly Item[]) => (item: Item) =>
      items.some((other) => textOf(other) === textOf(item));
    const [went, came] = [olds.filter((item) => !isIn(news)(item)), news.filter((item) => !isIn(olds)(item))];
    alterado.push(...zipped(went, came).map(([was, is]) => changeOf(was, is)));
    if (came.length > went.length) adicionado.push(code);
    if (went.length > came.length) excluido.push(code);
  }
  if (adicionado.length + excluido.length + alterado.length === 0) return undefined;
  return { adicionado, excluido, alterado };
}

function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

const changedDomainItem = (was: DomainItem, is: DomainItem): ChangedDomainItem => ({
  codigo: is.codigo,
  descricao: { valorAnterior: orNull(was.descricao), valorAtual: orNull(is.descricao) },
});

const changedConditional = (was: Conditional, is: Conditional): ChangedConditional => ({
  atributo: alterationOf(was.atributo, is.atributo),
  ...changedTexts(conditionTexts(was), conditionTexts(is)),
});

const conditionTexts = (conditional: Conditional): Texts => ({
  obrigatorio: String(conditional.obrigatorio),
  multivalorado: String(conditional.multivalorado),
  condicao: JSON.stringify(conditional.condicao),
  dataInicioVigencia: orNull(conditional.dataInicioVigencia),
  dataFimVigencia: orNull(conditional.dataFimVigencia),
});
