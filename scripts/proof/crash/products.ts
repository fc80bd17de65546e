/** Products that are included, versioned, rectified and deactivated, each by one writer only. */
import type { Random } from '../random.ts';
import { type Ledger, type Users, answerText } from './ledger.ts';
import { COMPANY, type Inbox, productKey } from './inbox.ts';

/** No table of the check requires attributes for this NCM. */
export const COMMON_NCM = '39269090';
const BASE = `/catp/api/ext/produto/${COMPANY}`;
const BATCH_MAX = 20;

interface Known {
  readonly codigo: number;
  /** The version text of the current version. */
  versao: string;
  situacao: string;
  /** A request about it was never answered. */
  isUncertain: boolean;
}

export class ProductWriter {
  readonly #ledger: Ledger;
  readonly #inbox: Inbox;
  readonly #random: Random;
  readonly #name: string;
  #made = 0;
  #mine: Known[] = [];

  constructor(name: string, ledger: Ledger, inbox: Inbox, random: Random) {
    this.#name = name;
    this.#ledger = ledger;
    this.#inbox = inbox;
    this.#random = random;
  }

  readonly step = async (users: Users): Promise<void> => {
    this.#mine = this.#mine.filter(({ isUncertain }) => !isUncertain);
    const product = this.#random.chance(0.5) ? this.#mine.at(-1) : undefined;
    if (product === undefined) return this.#random.chance(0.2) ? this.#batch(users) : this.#include(users);
    if (product.situacao === 'DESATIVADO' || this.#random.chance(0.4)) return this.#renew(users, product);
    return this.#random.chance(0.6) ? this.#rectify(users, product) : this.#deactivate(users, product);
  };

  async #include(users: Users): Promise<void> {
    const answer = await users.demo.call('POST', BASE, this.#content());
    const product = answer?.body as { codigo: number } | undefined;
    if (answer?.status !== 200 || product === undefined) return this.#refused('POST produto', answer);
    const created = { codigo: product.codigo, versao: '1', situacao: 'ATIVADO', isUncertain: false };
    this.#mine.push(created);
    this.#ledger.recordUnique('produto', String(product.codigo));
    this.#expect(created, answer.body, 'INCLUSAO');
  }

  async #renew(users: Users, product: Known): Promise<void> {
    await this.#change(users, product, 'PUT', `${BASE}/${product.codigo}`, 'NOVA_VERSAO');
  }

  async #rectify(users: Users, product: Known): Promise<void> {
    await this.#change(users, product, 'PUT', `${BASE}/${product.codigo}/${product.versao}`, 'RETIFICACAO');
  }

  async #change(users: Users, product: Known, method: string, path: string, operacao: string): Promise<void> {
    product.isUncertain = true;
    const answer = await users.demo.call(method, path, this.#content());
    const changed = answer?.body as { versao: string; situacao: string } | undefined;
    if (answer?.status !== 200 || changed === undefined) return this.#refused(`${method} produto`, answer);
    // The older version is now a record of its own; its claim keeps its content.
    const next = { ...product, versao: changed.versao, situacao: changed.situacao, isUncertain: false };
    this.#mine = [...this.#mine.filter((one) => one !== product), next];
    product.isUncertain = false;
    this.#ledger.recordUnique('versão de produto', `${product.codigo}/${changed.versao}`);
    this.#expect(next, answer.body, operacao);
  }

  async #deactivate(users: Users, product: Known): Promise<void> {
    product.isUncertain = true;
    const answer = await users.demo.call(
      'PUT',
      `/catp/api/ext/produto/desativar/${COMPANY}/${product.codigo}`,
    );
    if (answer?.status !== 200) return this.#refused('PUT desativar', answer);
    product.situacao = 'DESATIVADO';
    product.isUncertain = false;
    this.#ledger.count('produto: desativação');
    this.#inbox.expect(productKey(product.codigo, product.versao, 'DESATIVACAO'));
  }

  async #batch(users: Users): Promise<void> {
    const items = Array.from({ length: this.#random.integer(2, BATCH_MAX) }, (_, index) => ({
      seq: index + 1,
      cpfCnpjRaiz: COMPANY,
      ...this.#content(),
    }));
    const answer = await users.demo.call('POST', '/catp/api/ext/produto', items);
    const results = answer?.body as
      readonly { codigo: string; versao: string; sucesso: boolean }[] | undefined;
    if (answer?.status !== 200 || results === undefined) return this.#refused('POST lote', answer);
    for (const [index, { codigo, versao, sucesso }] of results.entries()) {
      const item = items[index];
      if (!sucesso || item === undefined) {
        this.#ledger.problem(`lote de produtos: o item ${index + 1} foi recusado: ${answerText(answer)}`);
        continue;
      }
      this.#ledger.recordUnique('produto', codigo);
      this.#inbox.expect(productKey(Number(codigo), versao, 'INCLUSAO'));
      this.#ledger.expect('produto em lote', {
        what: `produto ${codigo} versão ${versao} de um lote`,
        check: async (read) => {
          const stored = await read.demo.call('GET', `${BASE}/${codigo}/${versao}`);
          const { denominacao, descricao } = (stored?.body ?? {}) as Record<string, unknown>;
          const isSame = denominacao === item.denominacao && descricao === item.descricao;
          return stored?.status === 200 && isSame ? undefined : answerText(stored);
        },
      });
    }
  }

  #expect(known: Known, acknowledged: unknown, operacao: string): void {
    const { codigo, versao } = known;
    this.#inbox.expect(productKey(codigo, versao, operacao));
    const content = contentOf(acknowledged);
    this.#ledger.expect(`produto: ${operacao}`, {
      what: `produto ${codigo} versão ${versao} (${operacao})`,
      check: async (read) => {
        const stored = await read.demo.call('GET', `${BASE}/${codigo}/${versao}`);
        if (stored?.status !== 200 || contentOf(stored.body) !== content) return answerText(stored);
        const { situacao } = stored.body as { situacao: string };
        // An unanswered request may have deactivated it; an answered one must have.
        return known.isUncertain || situacao === known.situacao
          ? undefined
          : `está ${situacao}; foi confirmado ${known.situacao}`;
      },
    });
  }

  #content() {
    const number = ++this.#made;
    return {
      denominacao: `${this.#name}-${number}`,
      descricao: 'Peça inventada. '.repeat(this.#random.integer(1, 60)),
      modalidade: 'IMPORTACAO',
      ncm: COMMON_NCM,
      codigosInterno: [`INT-${this.#name}-${number}`],
    };
  }

  #refused(what: string, answer: Parameters<typeof answerText>[0]): void {
    if (answer !== undefined) this.#ledger.problem(`${what} respondeu ${answerText(answer)}`);
  }
}

/** Returns everything but the situation, which later operations change. */
function contentOf(record: unknown): string {
  return JSON.stringify({ ...(record as object), situacao: undefined });
}
