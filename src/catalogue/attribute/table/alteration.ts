/**
 * Computes the changes of an attribute from one table to the next, at all levels (contract section 8). The
 * result is plain JSON.
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
export function alterationOf(previous: AttributeDetail, current: AttributeDetail): Alteration {
  const dominio = changedList(previous.dominio, current.dominio, codeOf, changedDomainItem);
  const condicionados = changedList(
    previous.condicionados,
    current.condicionados,
    ({ atributo }) => atributo.codigo,
    changedConditional,
  );
  const listaSubatributos = changedList(
    previous.listaSubatributos,
    current.listaSubatributos,
    codeOf,
    alterationOf,
  );
  return {
    codigo: current.codigo,
    ...changedTexts(textsOf(previous), textsOf(current)),
    ...(dominio && { dominio }),
    ...(condicionados && { condicionados }),
    ...(listaSubatributos && { listaSubatributos }),
  };
}

const MODALITIES: readonly PairModalidade[] = ['Importação', 'Exportação'];

/**
 * Returns the alterations of an attribute in one NCM, one for each changed pair. With a new description, each
 * modality of the attribute has at least one alteration.
 * An alteration states its modality if the attribute has both modalities. Pairs of the same modality are
 * compared in the order of their first days.
 */
export function pairAlterations(
  previousItems: readonly Pair[],
  currentItems: readonly Pair[],
  hasNewDescription: boolean,
): PairAlteration[] {
  const differences = MODALITIES.map((modality) => differingPairs(previousItems, currentItems, modality));
  // A pair added in one modality and a pair removed in the other are one pair that changed its modality.
  const added = differences.flatMap(([before, after]) => after.slice(before.length));
  const removed = differences.flatMap(([before, after]) => before.slice(after.length));
  const matchedPairs: (readonly [Pair | undefined, Pair | undefined])[] = [
    ...differences.flatMap(([before, after]) => pairUp(before, after)),
    ...Array.from(
      { length: Math.max(added.length, removed.length) },
      (_, index) => [removed[index], added[index]] as const,
    ),
  ];
  const modalities = MODALITIES.filter((modality) =>
    currentItems.some(({ modalidade }) => modalidade === modality),
  );
  const hasBothModalities = modalities.length > 1;
  const changed = matchedPairs.map(([previous, current]) => ({
    ...(hasBothModalities && sameModality((current ?? previous)?.modalidade)),
    ...changedTexts(previous && pairTexts(previous), current && pairTexts(current)),
  }));
  if (!hasNewDescription) return changed;
  const changedModalities = new Set(
    matchedPairs.map(([previous, current]) => (current ?? previous)?.modalidade),
  );
  const unchanged = modalities.filter((modality) => !changedModalities.has(modality));
  return [...changed, ...unchanged.map((modality) => (hasBothModalities ? sameModality(modality) : {}))];
}

/** Returns the pairs of a modality that only one of two tables has, in the order of their first days. */
function differingPairs(
  previousItems: readonly Pair[],
  currentItems: readonly Pair[],
  modality: PairModalidade,
): readonly [readonly Pair[], readonly Pair[]] {
  const rest = (pairs: readonly Pair[], others: readonly Pair[]) => {
    const otherTexts = new Set(others.map(textOf));
    return pairs
      .filter((pair) => pair.modalidade === modality && !otherTexts.has(textOf(pair)))
      .toSorted((a, b) => (a.dataInicioVigencia < b.dataInicioVigencia ? -1 : 1));
  };
  return [rest(previousItems, currentItems), rest(currentItems, previousItems)];
}

const sameModality = (modality: PairModalidade = 'Importação'): PairAlteration => ({
  modalidade: { valorAnterior: modality, valorAtual: modality },
});

/** Members that a description and a pair have in common. The value of the pair is used. */
const PAIR_MEMBERS: ReadonlySet<string> = new Set([
  'modalidade',
  'obrigatorio',
  'multivalorado',
  'dataInicioVigencia',
  'dataFimVigencia',
]);

/** Returns the changes of one attribute in an NCM: those of the description, and those of the pair. */
export const alterationInNcm = (
  codigo: string,
  description: Alteration | undefined,
  pair: PairAlteration,
): Alteration => ({
  ...Object.fromEntries(Object.entries(description ?? {}).filter(([name]) => !PAIR_MEMBERS.has(name))),
  ...pair,
  codigo,
});

const codeOf = ({ codigo }: { readonly codigo: string }): string => codigo;
const textOf = (value: unknown): string => JSON.stringify(value);

const pairUp = <T>(before: readonly T[], after: readonly T[]): (readonly [T, T])[] =>
  after.slice(0, before.length).map((current, index) => [before[index] as T, current] as const);

type Texts = Readonly<Record<string, string | null>>;

function changedTexts(
  previous: Texts | undefined,
  current: Texts | undefined,
): Readonly<Record<string, Changed>> {
  const names = Object.keys(previous ?? current ?? {});
  return Object.fromEntries(
    names
      .map(
        (name) =>
          [name, { valorAnterior: previous?.[name] ?? null, valorAtual: current?.[name] ?? null }] as const,
      )
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
  objetivos: joinedTexts(detail.objetivos.map(objectiveText)),
  orgaos: joinedTexts(detail.orgaos),
  atributoCondicionante: String(detail.atributoCondicionante),
});

const numberOf = (value: number | undefined): string | null => (value === undefined ? null : String(value));
const joinedTexts = (texts: readonly string[]): string | null => orNull(texts.join(', '));
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
  previousItems: readonly Item[],
  currentItems: readonly Item[],
  keyOf: (item: Item) => string,
  changeOf: (previous: Item, current: Item) => Changes,
): ChangedList<Changes> | undefined {
  const [before, after] = [groupsBy(previousItems, keyOf), groupsBy(currentItems, keyOf)];
  const adicionado: string[] = [];
  const excluido: string[] = [];
  const alterado: Changes[] = [];
  for (const code of new Set([...before.keys(), ...after.keys()])) {
    const [previousOfCode, currentOfCode] = [before.get(code) ?? [], after.get(code) ?? []];
    const isIn = (items: readonly Item[]) => (item: Item) =>
      items.some((other) => textOf(other) === textOf(item));
    const [removed, added] = [
      previousOfCode.filter((item) => !isIn(currentOfCode)(item)),
      currentOfCode.filter((item) => !isIn(previousOfCode)(item)),
    ];
    alterado.push(...pairUp(removed, added).map(([previous, current]) => changeOf(previous, current)));
    if (added.length > removed.length) adicionado.push(code);
    if (removed.length > added.length) excluido.push(code);
  }
  if (adicionado.length + excluido.length + alterado.length === 0) return undefined;
  return { adicionado, excluido, alterado };
}

function groupsBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

const changedDomainItem = (previous: DomainItem, current: DomainItem): ChangedDomainItem => ({
  codigo: current.codigo,
  descricao: { valorAnterior: orNull(previous.descricao), valorAtual: orNull(current.descricao) },
});

const changedConditional = (previous: Conditional, current: Conditional): ChangedConditional => ({
  atributo: alterationOf(previous.atributo, current.atributo),
  ...changedTexts(conditionTexts(previous), conditionTexts(current)),
});

const conditionTexts = (conditional: Conditional): Texts => ({
  obrigatorio: String(conditional.obrigatorio),
  multivalorado: String(conditional.multivalorado),
  condicao: JSON.stringify(conditional.condicao),
  dataInicioVigencia: orNull(conditional.dataInicioVigencia),
  dataFimVigencia: orNull(conditional.dataFimVigencia),
});
