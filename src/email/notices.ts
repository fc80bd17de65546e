/**
 * Queues the notices that a person wants at once, in the transaction of their cause. Notices of one kind within
 * a minute are sent in one message (contract section 27).
 */
import { MINUTE_MS } from '../clock.ts';
import type { Notice, NoticeTransaction, PersonNotice, NotifyPeople } from '../session/notices/model.ts';
import { withCount } from '../validation/text.ts';
import type { EmailContent, EmailGroup } from './model.ts';
import type { NoticeRecipient, NoticeStore } from './notice-store.ts';
import type { Emails } from './service.ts';

/** Time in which further notices join a message. */
const JOIN_MS = MINUTE_MS;
/** Items of one message; the panel shows the others. */
const ITEMS_MAX = 100;

const SUBJECTS: Readonly<Record<Notice, string>> = {
  desativados: 'Produtos desativados',
  prazos: 'Prazo que se aproxima',
  importacoes: 'Importação com erros',
  propostas: 'Proposta',
  assinaturas: 'Assinatura com falhas',
  remotos: 'Portal Único',
};

export class Notices {
  readonly #store: NoticeStore;
  readonly #emails: Emails;

  constructor(store: NoticeStore, emails: Emails) {
    this.#store = store;
    this.#emails = emails;
  }

  /** Queues a notice for each person who wants it at once. */
  readonly notify: NotifyPeople = (tx, notice) => {
    if (!this.#emails.isOn) return;
    for (const recipient of this.#recipientsOf(notice)) this.#queue(tx, notice, recipient);
  };

  #recipientsOf(notice: PersonNotice): readonly NoticeRecipient[] {
    const { kind, cpfCnpjRaiz, documento, right = 'leitura', except } = notice;
    if (cpfCnpjRaiz === undefined) return this.#store.listOfPerson(documento ?? '', kind);
    return this.#store
      .listOfCompany(cpfCnpjRaiz, kind, right)
      .filter(
        (noticeRecipient) =>
          noticeRecipient.documento !== except &&
          noticeRecipient.documento === (documento ?? noticeRecipient.documento),
      );
  }

  #queue(tx: NoticeTransaction, { kind, cpfCnpjRaiz, text, link }: PersonNotice, to: NoticeRecipient): void {
    const company = cpfCnpjRaiz ?? '';
    const openMessage = this.#store.findOpen(to.documento, kind, tx.now);
    const previousGroups = openMessage === undefined ? [] : this.#emails.contentOf(openMessage).groups;
    const count = previousGroups.reduce((sum, { items }) => sum + items.length, 0);
    if (count > ITEMS_MAX) return;
    const item = count === ITEMS_MAX ? MORE : { text, link };
    const heading = cpfCnpjRaiz === undefined ? '' : (this.#store.companyName(cpfCnpjRaiz) ?? cpfCnpjRaiz);
    const groups = previousGroups.some((group) => (group.company ?? '') === company)
      ? previousGroups.map((group) =>
          (group.company ?? '') === company ? { ...group, items: [...group.items, item] } : group,
        )
      : [
          ...previousGroups,
          { heading, items: [item], ...(cpfCnpjRaiz !== undefined && { company: cpfCnpjRaiz }) },
        ];
    const email = { documento: to.documento, to: to.email, content: contentOf(kind, groups) };
    const companies = groups.flatMap((group) => group.company ?? []);
    if (openMessage === undefined)
      this.#emails.queue(tx, { ...email, companies, notice: kind, dueAt: tx.now + JOIN_MS });
    else this.#emails.replace(openMessage, { ...email, companies });
  }
}

const MORE = {
  text: `Há mais de ${ITEMS_MAX}: o painel mostra todos.`,
  link: { href: '/', label: 'Abrir o painel' },
};

function contentOf(kind: Notice, groups: readonly EmailGroup[]): EmailContent {
  const names = groups.map(({ heading }) => heading).filter((name) => name !== '');
  const [first] = names;
  const place = names.length > 1 ? withCount(names.length, 'empresa', 'empresas') : first;
  return {
    subject: place === undefined ? SUBJECTS[kind] : `${SUBJECTS[kind]}: ${place}`,
    lead: [],
    groups,
  };
}
