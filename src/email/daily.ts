/**
 * Sends the daily message: the items that need attention in the companies of a person, by the same rules as the
 * panel (contract sections 25 and 27). A day without news has no message.
 */
import type { AttentionRead } from '../catalogue/summary/attention.ts';
import { ATTENTION_LINKS, type AttentionItem, TONES } from '../catalogue/summary/attention-item.ts';
import { type Clock, DAY_MS, type Day } from '../clock.ts';
import { EMAILED_ON, type FolderMarks } from '../db/folder-mark.ts';
import type { Writer } from '../db/writer.ts';
import type { Reads } from '../reading/pool.ts';
import { readText } from '../reading/stream.ts';
import { type Right, includesRight } from '../right.ts';
import { SYSTEM } from '../session/model.ts';
import { choicesIn, decisionText } from '../session/notices/model.ts';
import type { TimeOfDay } from '../settings/setting-kinds.ts';
import { dayBefore, dayOf, localDateTime } from '../validation/calendar.ts';
import { withCount } from '../validation/text.ts';
import type { DailyReader, DailyStore, StoredDecision } from './daily-store.ts';
import type { EmailContent, EmailItem } from './model.ts';
import { noticeOf } from './attention-notice.ts';
import type { Emails } from './service.ts';

interface Item extends Omit<AttentionItem, 'day'> {
  /** Words of its link. Default: those of its kind. */
  readonly label?: string;
  /** Set for a decision, which is in one message only. */
  readonly isOnce?: true;
}

/** A company and its items, as the attention read yields them. */
interface CompanyItems {
  readonly cpfCnpjRaiz: string;
  readonly nome: string;
  readonly items: readonly Item[];
}

/** The items of the last message by their keys, as stored: the next message compares its items with them. */
type ReportedItems = Readonly<Record<string, Pick<Item, 'count' | 'tone' | 'href'>>>;

/** Age up to which a decision on a proposal is in the message to its author. */
const DECISIONS_MS = 7 * DAY_MS;

/** Items of one message; the panel shows the others. */
const ITEMS_MAX = 100;

export function createDailyEmails({
  store,
  rightsOf,
  marks,
  emails,
  reads,
  writer,
  clock,
  time,
}: {
  readonly store: DailyStore;
  /** Returns the right of a person over each of its companies, by hand or by a group. */
  readonly rightsOf: (documento: string) => ReadonlyMap<string, Right>;
  readonly marks: FolderMarks;
  readonly emails: Pick<Emails, 'queue' | 'isOn'>;
  readonly reads: Reads<AttentionRead>;
  readonly writer: Writer;
  readonly clock: Clock;
  /** `undefined`: never. */
  readonly time: TimeOfDay | undefined;
}) {
  /** Queues the messages of this day, except those that an earlier run queued or found without news. */
  async function runOnce(): Promise<{ readonly messages: number }> {
    if (!emails.isOn) return { messages: 0 };
    const today = dayOf(clock.now());
    let messages = 0;
    for (const reader of store.list())
      if (store.find(reader.documento)?.day !== today && (await decide(reader, today))) messages += 1;
    await writer.write(() => marks.put(EMAILED_ON, today));
    return { messages };
  }

  /** Returns true if the server was off at the hour of the last message that was due. */
  function hasMissedRun(): boolean {
    if (!emails.isOn || time === undefined) return false;
    const now = clock.now();
    const today = dayOf(now);
    const [hour, minute] = localDateTime(now).slice('yyyy-MM-ddT'.length).split(':').map(Number);
    const isPast = (hour ?? 0) * 60 + (minute ?? 0) >= time.hour * 60 + time.minute;
    const emailedOn = marks.find(EMAILED_ON);
    // A clock that was ahead has stored a future day, which says nothing about today.
    if (emailedOn === undefined || emailedOn > today) return isPast;
    return emailedOn < (isPast ? today : dayBefore(today));
  }

  /** Returns true if the person gets a message. */
  async function decide(
    { documento, email, avisos, administrador }: DailyReader,
    today: Day,
  ): Promise<boolean> {
    const choices = choicesIn(avisos);
    if (!Object.values(choices).includes('diario')) return false;
    const rights = [...rightsOf(documento)].toSorted(([a], [b]) => a.localeCompare(b));
    const read = {
      kind: 'attention',
      companies: rights.map(([company]) => company),
      decidableCompanies: rights
        .filter(([, right]) => includesRight(right, 'aprovacao'))
        .map(([company]) => company),
      documento,
      administrador: administrador === 1,
      today,
    } as const;
    const text = await readText(reads.read(read, { user: SYSTEM }));
    const { attention } = JSON.parse(text) as { readonly attention: readonly CompanyItems[] }; // by our Worker
    const chosenCompanies = chosenItems(attention, ({ kind }) => {
      const notice = noticeOf(kind);
      return notice !== undefined && choices[notice] === 'diario';
    });
    return writer.write((tx) => {
      const lastState = store.find(documento);
      // Another process has done the same person in the meantime.
      if (lastState?.day === today) return false;
      const reportedBefore = JSON.parse(lastState?.items ?? '{}') as ReportedItems; // written by this program
      const decisions =
        choices.propostas === 'diario' ? store.decisionsOf(documento, tx.now - DECISIONS_MS) : [];
      const withDecisions = attention.map((company) => ({
        ...company,
        items: [
          ...(chosenCompanies.find(({ cpfCnpjRaiz }) => cpfCnpjRaiz === company.cpfCnpjRaiz)?.items ?? []),
          ...decisions
            .filter((storedDecision) => storedDecision.company === company.cpfCnpjRaiz)
            .map(decisionItem),
        ],
      }));
      const items = reportedItems(withDecisions);
      store.put(documento, { day: today, items: JSON.stringify(items) });
      if (!hasNews(items, reportedBefore)) return false;
      // A decision is in one message; other items are repeated as long as they need attention.
      const listedItems = mostUrgentFirst(
        withDecisions.map((company) => ({
          ...company,
          items: company.items.filter(
            (item) => item.isOnce !== true || reportedBefore[keyOf(company, item)] === undefined,
          ),
        })),
      );
      emails.queue(tx, {
        to: email,
        documento,
        companies: listedItems.map(({ cpfCnpjRaiz }) => cpfCnpjRaiz),
        content: contentOf(listedItems),
      });
      return true;
    });
  }

  return { runOnce, hasMissedRun };
}

/** Returns the companies with chosen items, most urgent first. An item of the person, not of a company, appears once. */
function chosenItems(
  attention: readonly CompanyItems[],
  isChosen: (item: Item) => boolean,
): readonly CompanyItems[] {
  const ofPerson = new Set<string>();
  const isRepeated = ({ kind, id = '' }: Item): boolean => {
    if (kind !== 'assinaturas') return false;
    if (ofPerson.has(id)) return true;
    ofPerson.add(id);
    return false;
  };
  return mostUrgentFirst(
    attention.map((company) => ({
      ...company,
      items: company.items.filter((item) => isChosen(item) && !isRepeated(item)),
    })),
  );
}

/** Returns the companies that have items, in the order of a message. */
const mostUrgentFirst = (companies: readonly CompanyItems[]): readonly CompanyItems[] =>
  companies
    .filter(({ items }) => items.length > 0)
    .toSorted((a, b) => urgencyOf(a) - urgencyOf(b) || a.nome.localeCompare(b.nome, 'pt-BR'));

const decisionItem = ({ id, state, items, reason }: StoredDecision): Item => ({
  kind: 'propostas',
  id: `decisao ${id}`,
  count: 1,
  tone: 'info',
  href: `/importar/${id}`,
  label: 'Ver proposta',
  isOnce: true,
  message: decisionText({ items, isApproved: state === 'approved', reason }),
});

const keyOf = ({ cpfCnpjRaiz }: CompanyItems, { kind, id = '' }: Item): string =>
  `${cpfCnpjRaiz} ${kind} ${id}`;

const urgencyOf = ({ items }: CompanyItems): number =>
  Math.min(...items.map(({ tone }) => TONES.indexOf(tone)));

const reportedItems = (companies: readonly CompanyItems[]): ReportedItems =>
  Object.fromEntries(
    companies.flatMap((company) =>
      company.items.map((item) => {
        const { count, tone, href } = item;
        return [keyOf(company, item), { count, tone, href }];
      }),
    ),
  );

/** Returns true if an item is new, has a higher count, is more urgent, or leads elsewhere. */
const hasNews = (items: ReportedItems, lastState: ReportedItems): boolean =>
  Object.entries(items).some(([key, { count, tone, href }]) => {
    const before = lastState[key];
    if (before === undefined || count > before.count) return true;
    if (TONES.indexOf(tone) < TONES.indexOf(before.tone)) return true;
    return href !== before.href && count === before.count;
  });

function contentOf(chosenCompanies: readonly CompanyItems[]): EmailContent {
  const total = chosenCompanies.reduce((sum, { items }) => sum + items.length, 0);
  let room = ITEMS_MAX;
  const groups = chosenCompanies
    .map(({ cpfCnpjRaiz: company, nome, items }) => {
      const first = items.slice(0, room);
      room -= first.length;
      return { heading: nome, company, items: first.map(itemOf) };
    })
    .filter(({ items }) => items.length > 0);
  const [first] = chosenCompanies;
  const place =
    chosenCompanies.length === 1 && first !== undefined
      ? first.nome
      : withCount(chosenCompanies.length, 'empresa', 'empresas');
  return {
    subject: `${withCount(total, 'item pede atenção', 'itens pedem atenção')}: ${place}`,
    lead: [
      total > ITEMS_MAX
        ? `Aqui estão os ${ITEMS_MAX} primeiros, o mais urgente antes; o painel mostra todos.`
        : 'O que pede atenção no catálogo de produtos, o mais urgente primeiro.',
    ],
    groups:
      total > ITEMS_MAX
        ? [...groups, { heading: '', items: [{ text: 'Todos os itens', link: PANEL }] }]
        : groups,
  };
}

const PANEL = { href: '/', label: 'Abrir o painel' };

const itemOf = ({ kind, href, message, label = ATTENTION_LINKS[kind] }: Item): EmailItem => ({
  text: message,
  link: { href, label },
});
