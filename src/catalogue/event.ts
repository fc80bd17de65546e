/**
 * Publishes the events of catalogue changes (contract section 10), all for the company. Our own events, one
 * for every change, are stored only if a subscription exists at that time: otherwise a catalogue of millions
 * of products would fill the disk with unused events.
 */
import type { Transaction } from '../db/writer.ts';
import type { EventPublisher } from '../notification/event/model.ts';
import { type NotifyPeople, decisionText } from '../session/notices/model.ts';
import { dayCell } from '../sheet/table.ts';
import { localDateTime } from '../validation/calendar.ts';
import { withCount } from '../validation/text.ts';

export type ProductOperation =
  | 'INCLUSAO'
  | 'INCLUSAO_RETROATIVA'
  | 'NOVA_VERSAO'
  | 'RETIFICACAO'
  | 'ATIVACAO'
  | 'DESATIVACAO'
  | 'DESATIVACAO_SISTEMA';

export type LinkOperation = 'VINCULACAO' | 'DESVINCULACAO';

export interface ChangedRecord {
  readonly codigo: number | string;
  readonly versao: string;
  readonly situacao: string;
}

export interface ChangedLink {
  readonly codigo: number;
  readonly codigoPais: string;
  readonly codigoOperadorEstrangeiro: string | null;
  readonly cpfCnpjFabricante: string | null;
}

/** Proposal of a change, or the decision on it. */
export interface ChangedProposal {
  readonly cpfCnpjRaiz: string;
  readonly id: number;
  readonly situacao: 'AGUARDANDO' | 'APROVADA' | 'RECUSADA' | 'RETIRADA';
  readonly itens: number;
  readonly autor: string;
  readonly decisor: string | null;
  readonly motivo: string | null;
}

/** Future requirement on a company's products. */
export interface NearDeadline {
  readonly cpfCnpjRaiz: string;
  readonly on: string;
  readonly isCertain: boolean;
  readonly codigo: string | null;
  readonly modalidade: string | null;
  readonly products: readonly (readonly [ncm: string, codigo: number])[];
}

const CNPJ_ROOT_LENGTH = 8;

/** The instruction of the public event. The text before it has the wording of the public service. */
const REACTIVATION_HINT = 'Inclua uma nova versão de cada um com os atributos que faltam para reativá-lo.';

export class CatalogueEvents {
  readonly #publisher: EventPublisher;
  readonly #notify: NotifyPeople;

  constructor(publisher: EventPublisher, notify: NotifyPeople) {
    this.#publisher = publisher;
    this.#notify = notify;
  }

  productChanged(
    tx: Transaction,
    cpfCnpjRaiz: string,
    product: ChangedRecord,
    operacao: ProductOperation,
  ): void {
    const { codigo, versao, situacao } = product;
    this.#publish(tx, 'catp-prod-alterado', cpfCnpjRaiz, { codigo, versao, situacao, operacao });
  }

  operatorChanged(
    tx: Transaction,
    cpfCnpjRaiz: string,
    operator: ChangedRecord & { readonly codigoPais: string },
    operacao: ProductOperation,
  ): void {
    const { codigo, codigoPais, versao, situacao } = operator;
    this.#publish(tx, 'catp-oper-alterado', cpfCnpjRaiz, { codigo, codigoPais, versao, situacao, operacao });
  }

  linkChanged(tx: Transaction, cpfCnpjRaiz: string, link: ChangedLink, operacao: LinkOperation): void {
    const { codigo, codigoPais, codigoOperadorEstrangeiro, cpfCnpjFabricante } = link;
    this.#publish(tx, 'catp-vinc-alterado', cpfCnpjRaiz, {
      codigo,
      codigoPais,
      codigoOperadorEstrangeiro,
      cpfCnpjFabricante,
      operacao,
    });
  }

  /**
   * Publishes the public event of the system's deactivations. `codigosProduto` are decimal strings without
   * padding.
   */
  productsDeactivatedBySystem(
    tx: Transaction,
    cpfCnpjRaiz: string,
    ncm: string,
    codigos: readonly number[],
  ): void {
    const conteudo = JSON.stringify({
      titulo: `Produtos desativados no catálogo da empresa ${this.#publisher.headOfficeOf(cpfCnpjRaiz) ?? cpfCnpjRaiz}`,
      mensagem: `Os produtos catalogados para o código NCM ${ncm} foram desativados pelo gestor do sistema em função da criação de novos atributos obrigatórios. ${REACTIVATION_HINT}`,
      cpfCnpjRaiz,
      ncm,
      codigosProduto: codigos.map(String),
    });
    this.#publisher.publish(tx, { evento: 'catp-prod-desativado', ...recipientOf(cpfCnpjRaiz), conteudo });
    const deactivatedText = withCount(codigos.length, 'produto desativado', 'produtos desativados');
    this.#notify(tx, {
      kind: 'desativados',
      cpfCnpjRaiz,
      text: `${deactivatedText} pelo sistema, porque os atributos da NCM ${ncm} mudaram. Grave uma nova versão de cada um com o que falta.`,
      link: { href: `/corrigir?cpfCnpjRaiz=${cpfCnpjRaiz}`, label: 'Corrigir' },
    });
  }

  /**
   * Publishes a future requirement with its first day, and the products that lack it, by NCM in order. The
   * codes of products are decimal strings without padding.
   */
  deadlineNears(
    tx: Transaction,
    { cpfCnpjRaiz, on, isCertain, codigo, modalidade, products }: NearDeadline,
  ): void {
    const ncms = new Map<string, string[]>();
    for (const [ncm, produto] of products) {
      const productCodes = ncms.get(ncm) ?? [];
      ncms.set(ncm, productCodes);
      productCodes.push(String(produto));
    }
    const conteudo = JSON.stringify({
      cpfCnpjRaiz,
      data: on,
      tipo: isCertain ? 'CERTO' : 'ANUNCIADO',
      atributo: codigo,
      modalidade,
      ncms: [...ncms].map(([ncm, codigosProduto]) => ({ ncm, codigosProduto })),
    });
    this.#publisher.publish(tx, { evento: 'catp-prazo', ...recipientOf(cpfCnpjRaiz), conteudo });
    const lacking = withCount(products.length, 'produto não tem', 'produtos não têm');
    this.#notify(tx, {
      kind: 'prazos',
      cpfCnpjRaiz,
      text: `${lacking} o que vai ser exigido em ${dayCell(on)}${codigo === null ? '' : `: ${codigo}`}. Preencha antes: o que ainda faltar quando a tabela o exigir é desativado.`,
      link: { href: `/corrigir?cpfCnpjRaiz=${cpfCnpjRaiz}&fonte=due`, label: 'Corrigir' },
    });
  }

  /**
   * Publishes the differences that a comparison with a remote found and the previous one did not: the number
   * of records in each state.
   */
  remoteDiverges(tx: Transaction, cpfCnpjRaiz: string, remoto: string, contagens: object): void {
    const conteudo = JSON.stringify({ cpfCnpjRaiz, remoto, contagens });
    this.#publisher.publish(tx, { evento: 'catp-remoto-divergente', ...recipientOf(cpfCnpjRaiz), conteudo });
    this.#notify(tx, {
      kind: 'remotos',
      cpfCnpjRaiz,
      text: `A comparação com o remoto ${remoto} achou diferenças que a anterior não tinha.`,
      link: { href: `/remotos?cpfCnpjRaiz=${cpfCnpjRaiz}&remote=${remoto}`, label: 'Ver remoto' },
    });
  }

  /** Publishes a proposal, or the decision on it. */
  proposalChanged(tx: Transaction, proposal: ChangedProposal): void {
    const { cpfCnpjRaiz, id, situacao, itens, autor, decisor, motivo } = proposal;
    const conteudo = JSON.stringify({ cpfCnpjRaiz, id, situacao, itens, autor, decisor, motivo });
    this.#publisher.publish(tx, { evento: 'catp-proposta', ...recipientOf(cpfCnpjRaiz), conteudo });
    this.#notifyOfProposal(tx, proposal);
  }

  /** Notifies the users who may decide about a waiting proposal, or its author about the decision. */
  #notifyOfProposal(
    tx: Transaction,
    { cpfCnpjRaiz, id, situacao, itens, autor, motivo }: ChangedProposal,
  ): void {
    if (situacao === 'AGUARDANDO')
      this.#notify(tx, {
        kind: 'propostas',
        cpfCnpjRaiz,
        right: 'aprovacao',
        except: autor,
        text: `Uma proposta de ${withCount(itens, 'item', 'itens')} espera uma decisão. Veja o que mudaria, e aprove ou recuse.`,
        link: { href: `/aprovar?cpfCnpjRaiz=${cpfCnpjRaiz}`, label: 'Decidir' },
      });
    else if (situacao !== 'RETIRADA')
      this.#notify(tx, {
        kind: 'propostas',
        cpfCnpjRaiz,
        documento: autor,
        text: decisionText({ items: itens, isApproved: situacao === 'APROVADA', reason: motivo }),
        link: { href: `/importar/${id}`, label: 'Ver proposta' },
      });
  }

  #publish(tx: Transaction, evento: string, cpfCnpjRaiz: string, body: object): void {
    if (!this.#publisher.isSubscribed(evento)) return;
    const conteudo = JSON.stringify({ cpfCnpjRaiz, ...body, dataHora: localDateTime(tx.now) });
    this.#publisher.publish(tx, { evento, ...recipientOf(cpfCnpjRaiz), conteudo });
  }
}

function recipientOf(cpfCnpjRaiz: string) {
  const isCnpj = cpfCnpjRaiz.length === CNPJ_ROOT_LENGTH;
  return { destinatarioTipo: isCnpj ? 'CNPJ' : 'CPF', destinatarioId: cpfCnpjRaiz } as const;
}
