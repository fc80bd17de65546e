/** Lists the items that need attention in each company of a caller, in one read (contract section 25). */
import type { Day } from '../../clock.ts';
import type { Db } from '../../db/open.ts';
import { type CatalogueRules, companySchema } from '../../validation/company.ts';
import { choice, form, text } from '../../validation/forms.ts';
import { DayText } from '../model.ts';
import { type Dismissal, DismissalStore, type LoweredDismissal } from './dismissal-store.ts';
import {
  ATTENTION_KINDS,
  type AttentionKind,
  type AttentionItem,
  TONES,
  byUrgency,
} from './attention-item.ts';
import { t } from '../../validation/type.ts';

export const AttentionKindForm = choice(
  ATTENTION_KINDS,
  'paraCorrigir: produtos que o sistema desativou; importacoes: importações com erros, ou que não puderam ser lidas, que ninguém corrigiu nem desfez; prazos: produtos a que falta o que vai ser exigido em até 30 dias, ou já venceu; assinaturas: assinaturas de quem pergunta cujas entregas falham; remotos: registros que diferem de um remoto, e passos de um envio parado ou que espera; propostas: propostas de outros que quem pergunta pode decidir; recusadas: propostas de quem pergunta que foram recusadas; semTabela: nenhuma tabela de atributos em vigor; rascunhos: rascunhos por terminar.',
  'paraCorrigir',
);

export const ATTENTION_ID = text(
  'A assinatura, o remoto ou a proposta recusada, nos itens desses tipos; ao dispensar uma só importação, a importação.',
  'portal',
  { minLength: 1, maxLength: 100 },
);

const Item = form('AttentionItem', 'O que pede atenção em uma empresa.', {
  kind: AttentionKindForm,
  id: t.Optional(ATTENTION_ID),
  count: t.Integer({
    minimum: 1,
    description: 'Quantos são; em importacoes, quantas importações, e não quantas linhas.',
    examples: [12],
  }),
  day: t.Optional({
    ...DayText,
    description: 'O dia que a ordena entre as da mesma gravidade; ausente onde não há nenhum.',
  }),
  href: text('A página em que se resolve.', '/corrigir?cpfCnpjRaiz=12345678'),
  tone: choice(TONES, 'A gravidade.', 'error'),
  message: text('O que é e o que fazer.', '12 produtos desativados pelo sistema.'),
});

export const attentionForm = (rules: CatalogueRules) =>
  t.Array(
    form('CompanyAttention', 'Uma empresa e o que pede atenção nela.', {
      cpfCnpjRaiz: companySchema(rules),
      nome: text('Nome da empresa.', 'Importadora Exemplo Ltda'),
      items: t.Array(Item, {
        description: 'O que pede atenção nela, o mais urgente primeiro; [] quando nada.',
      }),
    }),
  );

export interface AttentionRead {
  readonly kind: 'attention';
  /** Company roots in ascending order. `undefined` means all companies. */
  readonly companies: readonly string[] | undefined;
  readonly documento: string;
  /** The companies whose proposals the caller may decide. */
  readonly decidableCompanies: readonly string[];
  readonly administrador: boolean;
  readonly today: Day;
}

/** Reads the items of a company that can be dismissed. Includes the dismissed ones. */
export interface DismissibleRead extends Omit<AttentionRead, 'kind' | 'companies'> {
  readonly kind: 'dismissible';
  readonly cpfCnpjRaiz: string;
}

/** Reads the dismissals whose item now counts less than when it was dismissed, for these companies. */
export interface LoweredRead {
  readonly kind: 'loweredAttention';
  readonly companies: readonly string[];
  readonly today: Day;
}

/** Data of other features about a company. */
export interface AttentionSources {
  readonly companies: () => readonly { readonly cpfCnpjRaiz: string; readonly nome: string }[];
  readonly companyName: (cpfCnpjRaiz: string) => string | undefined;
  readonly attentionItems: (cpfCnpjRaiz: string) => Generator<string, readonly AttentionItem[]>;
  /** Items about the subscriptions of all users. */
  readonly subscriptions: () => readonly AttentionItem[];
  /** Items about all pending proposals of a company, without regard to who may decide them. */
  readonly proposals: (cpfCnpjRaiz: string) => readonly AttentionItem[];
  readonly failedImports: (cpfCnpjRaiz: string) => {
    readonly dismissals: readonly Dismissal[];
    /** Returns the items for which `isVisible` is true. */
    readonly visible: (
      isVisible: (item: Dismissal & Pick<AttentionItem, 'kind'>) => boolean,
    ) => readonly AttentionItem[];
  };
}

/** Result of the read. `lowered` holds the dismissals whose count must be lowered to the current one. */
export interface AttentionResult {
  readonly attention: readonly object[];
  readonly lowered: readonly LoweredDismissal[];
}

/** Yields the JSON text of an `AttentionResult` in chunks. An empty chunk is a point where other reads may run. */
export function* attentionTexts(
  db: Db,
  { companies }: AttentionRead,
  sources: AttentionSources,
): Generator<string> {
  const dismissals = new DismissalStore(db);
  const attention = [];
  const lowered: LoweredDismissal[] = [];
  for (const cpfCnpjRaiz of companies ?? sources.companies().map((company) => company.cpfCnpjRaiz)) {
    const dismissed = dismissals.list(cpfCnpjRaiz);
    const isVisible = visibleAfter(dismissed);
    const all = yield* sources.attentionItems(cpfCnpjRaiz);
    if (dismissed.length > 0)
      lowered.push(...findLowered(cpfCnpjRaiz, dismissed, itemsWithAll(cpfCnpjRaiz, all, sources)));
    const attentionItems = all.filter(isVisible);
    const imports = sources.failedImports(cpfCnpjRaiz).visible(isVisible);
    const items = [...attentionItems, ...imports].sort(byUrgency);
    attention.push({ cpfCnpjRaiz, nome: sources.companyName(cpfCnpjRaiz) ?? '', items });
    yield '';
  }
  yield JSON.stringify({ attention, lowered } satisfies AttentionResult);
}

/** Yields the JSON text of a list of `Dismissal`, in chunks like `attentionTexts`. */
export function* dismissibleTexts(
  { cpfCnpjRaiz }: DismissibleRead,
  sources: AttentionSources,
): Generator<string> {
  const attentionItems = yield* sources.attentionItems(cpfCnpjRaiz);
  const dismissals: readonly Dismissal[] = [
    ...attentionItems.map(({ kind, id = '', count }) => ({ kind, id, count })),
    ...sources.failedImports(cpfCnpjRaiz).dismissals,
  ];
  yield JSON.stringify(dismissals);
}

/** Yields the JSON text of a list of `LoweredDismissal`, in chunks like `attentionTexts`. */
export function* loweredTexts(
  db: Db,
  { companies }: LoweredRead,
  sources: Pick<AttentionSources, 'attentionItems' | 'subscriptions' | 'proposals'>,
): Generator<string> {
  const store = new DismissalStore(db);
  const lowered: LoweredDismissal[] = [];
  for (const cpfCnpjRaiz of companies) {
    const attentionItems = itemsWithAll(cpfCnpjRaiz, yield* sources.attentionItems(cpfCnpjRaiz), sources);
    lowered.push(...findLowered(cpfCnpjRaiz, store.list(cpfCnpjRaiz), attentionItems));
    yield '';
  }
  yield JSON.stringify(lowered);
}

/**
 * Returns the items of a company for all callers. Replaces the proposals of one caller by those of all, and adds
 * the subscriptions of all users.
 */
const itemsWithAll = (
  cpfCnpjRaiz: string,
  own: readonly AttentionItem[],
  sources: Pick<AttentionSources, 'subscriptions' | 'proposals'>,
): readonly AttentionItem[] => [
  ...own.filter(({ kind }) => kind !== 'propostas'),
  ...sources.proposals(cpfCnpjRaiz),
  ...sources.subscriptions(),
];

/** Kinds with one item per import or per proposal. The count of such an item never changes. */
const SINGLE_KINDS: readonly string[] = ['importacoes', 'recusadas'] satisfies readonly AttentionKind[];

/** Returns the dismissals whose item now counts less than when it was dismissed. */
function findLowered(
  cpfCnpjRaiz: string,
  dismissals: readonly Dismissal[],
  attentionItems: readonly AttentionItem[],
): LoweredDismissal[] {
  const counts = new Map(attentionItems.map(({ kind, id = '', count }) => [`${kind} ${id}`, count]));
  return dismissals.flatMap((dismissal) => {
    const newCount = counts.get(`${dismissal.kind} ${dismissal.id}`) ?? 0;
    return !SINGLE_KINDS.includes(dismissal.kind) && newCount < dismissal.count
      ? [{ ...dismissal, cpfCnpjRaiz, newCount }]
      : [];
  });
}

type Countable = Pick<AttentionItem, 'kind' | 'id' | 'count'>;

/** Returns a predicate: true if the item counts more than when it was dismissed, or was never dismissed. */
function visibleAfter(dismissals: readonly Dismissal[]): (countable: Countable) => boolean {
  const counts = new Map(dismissals.map(({ kind, id, count }) => [`${kind} ${id}`, count]));
  return ({ kind, id = '', count }) => count > (counts.get(`${kind} ${id}`) ?? 0);
}
