/** Events published by hand, imports and table activations. */
import type { Answer } from '../client.ts';
import type { Random } from '../random.ts';
import { SLOWNESS } from '../slowness.ts';
import { COMPANY, ENDPOINT, type Inbox } from './inbox.ts';
import { type Ledger, type Users, answerText } from './ledger.ts';
import { COMMON_NCM } from './products.ts';
import type { StepParts } from './records.ts';

const PUBLISHED_EVENT = 'prova-publicada';

/** Publishes an event by hand; its subscriber must receive it. */
export function eventStep(parts: StepParts, inbox: Inbox): (users: Users) => Promise<void> {
  const { name, ledger } = parts;
  let count = 0;
  return async ({ admin }) => {
    const prova = `${name}-${++count}`;
    const before = ledger.latest('evento');
    const event = { evento: PUBLISHED_EVENT, destinatarioTipo: 'CNPJ', destinatarioId: COMPANY };
    const answer = await admin.call('POST', '/appliance/api/events', { ...event, conteudo: { prova } });
    if (answer === undefined) return;
    if (answer.status !== 200) return ledger.problem(`POST events respondeu ${answerText(answer)}`);
    const { id, deliveries } = answer.body as { id: number; deliveries: number };
    ledger.recordRising('evento', id, before);
    if (deliveries !== 1) ledger.problem(`evento ${id}: ${deliveries} entregas; há uma assinatura`);
    ledger.count('evento publicado');
    inbox.expect(prova);
  };
}

/** Creates the subscriptions whose deliveries are counted. Throws when one is refused. */
export async function subscribeInbox({ demo, demo2 }: Users): Promise<void> {
  const wanted = [
    [demo, 'catp-prod-alterado'],
    [demo, 'catp-prod-desativado'],
    [demo2, PUBLISHED_EVENT],
  ] as const;
  for (const [user, evento] of wanted) {
    const answer = await user.call('POST', '/portal/api/ext/webhook', { evento, endpoint: ENDPOINT });
    if (answer?.status !== 200) throw new Error(`assinatura de ${evento}: ${answerText(answer)}`);
  }
}

const IMPORTS = '/appliance/api/imports';
const IMPORT_COMPANY = '11222333';
const IMPORT_ITEMS = 1500;
const IMPORTS_AT_ONCE = 2;
const IMPORT_DONE_WITHIN_MS = 60_000 * SLOWNESS;

interface Progress {
  readonly state: string;
  readonly total: number | null;
  readonly processed: number;
  readonly created: number;
}

/** Imports files while the server is killed. */
export class ImportWork {
  readonly #parts: StepParts;
  readonly #jobs: { readonly id: number; readonly mark: string }[] = [];
  #made = 0;

  constructor(parts: StepParts) {
    this.#parts = parts;
  }

  readonly step = async (users: Users): Promise<void> => {
    const { ledger, name } = this.#parts;
    const open = await Promise.all(this.#jobs.slice(-IMPORTS_AT_ONCE).map(({ id }) => progressOf(users, id)));
    if (open.length === IMPORTS_AT_ONCE && open.some((job) => job === undefined || job.state !== 'done'))
      return Bun.sleep(50);
    const mark = `${name}-${++this.#made}`;
    const form = new FormData();
    const items = Array.from({ length: IMPORT_ITEMS }, (_, index) => ({
      seq: index + 1,
      cpfCnpjRaiz: IMPORT_COMPANY,
      denominacao: `${mark} ${index}`,
      modalidade: 'IMPORTACAO',
      ncm: COMMON_NCM,
    }));
    form.set('tipo', 'produto');
    form.set('file', new File([JSON.stringify(items)], `${mark}.json`));
    const before = ledger.latest('importação');
    const answer = await users.estranho.call('POST', IMPORTS, form);
    if (answer === undefined) return;
    if (answer.status !== 202) return ledger.problem(`POST imports respondeu ${answerText(answer)}`);
    const { id } = answer.body as { id: number };
    ledger.recordRising('importação', id, before);
    ledger.expect('importação', {
      what: `importação ${id}`,
      check: async (read) => ((await progressOf(read, id)) === undefined ? 'sumiu' : undefined),
    });
    this.#jobs.push({ id, mark });
  };

  /** Waits for every import and checks that each item was applied exactly once. */
  async verify(users: Users): Promise<void> {
    const { ledger } = this.#parts;
    for (const { id, mark } of this.#jobs) {
      const progress = await this.#end(users, id);
      const isWhole = progress?.state === 'done' && progress.created === IMPORT_ITEMS;
      if (!isWhole) ledger.problem(`importação ${id}: terminou como ${JSON.stringify(progress)}`);
      const query = `cpfCnpjRaiz=${IMPORT_COMPANY}&denominacao=${encodeURIComponent(`${mark} `)}`;
      const answer = await users.estranho.call('GET', `/catp/api/ext/produto?${query}`);
      const products = (answer?.body ?? []) as readonly { codigo: number; denominacao: string }[];
      const names = new Set(products.map(({ denominacao }) => denominacao));
      if (names.size !== IMPORT_ITEMS || products.length !== IMPORT_ITEMS)
        ledger.problem(
          `importação ${id}: ${names.size} itens aplicados, ${products.length} produtos, de ${IMPORT_ITEMS}`,
        );
      for (const { codigo } of products)
        ledger.recordUnique(`produto da empresa ${IMPORT_COMPANY}`, String(codigo));
      ledger.count('item importado', names.size);
    }
  }

  async #end(users: Users, id: number): Promise<Progress | undefined> {
    const until = Date.now() + IMPORT_DONE_WITHIN_MS;
    for (;;) {
      const progress = await progressOf(users, id);
      const isOver = progress !== undefined && progress.state !== 'queued' && progress.state !== 'running';
      if (isOver || Date.now() > until) return progress;
      await Bun.sleep(50);
    }
  }
}

async function progressOf({ estranho }: Users, id: number): Promise<Progress | undefined> {
  const answer = await estranho.call('GET', `${IMPORTS}/${id}`);
  return answer?.status === 200 ? (answer.body as Progress) : undefined;
}

const TABLES = '/appliance/api/attribute-tables';
/** Valid without attributes under the first table, not under the second. */
const VICTIM_NCM = '85044010';
const VICTIMS_PER_STEP = 5;

/** Puts two tables in force in turn; the second deactivates products included under the first. */
export class TableWork {
  readonly #ledger: Ledger;
  readonly #inbox: Inbox;
  readonly #random: Random;
  readonly #victims: number[] = [];
  #ids: readonly number[] = [];
  /** The table in force; `undefined` when a request to change it was never answered. */
  #inForce: string | undefined;
  #turn = 0;

  constructor({ ledger, random }: StepParts, inbox: Inbox) {
    this.#ledger = ledger;
    this.#inbox = inbox;
    this.#random = random;
  }

  /** Loads the tables and puts the first one in force. Throws when that fails. */
  async prepare(users: Users): Promise<void> {
    const ids: number[] = [];
    for (const versao of ['1', '2']) {
      const answer = await users.admin.call('POST', TABLES, tableOf(versao));
      if (answer?.status !== 200) throw new Error(`tabela ${versao}: ${answerText(answer)}`);
      ids.push((answer.body as { id: number }).id);
    }
    this.#ids = ids;
    await this.#activate(users, 0);
    this.#ledger.expect('tabela em vigor', {
      what: 'tabela em vigor',
      check: async ({ admin }) => {
        const ready = await admin.call('GET', '/readyz');
        const versao = (ready?.body as { attributeTable: { versao: string } | null } | undefined)
          ?.attributeTable?.versao;
        return this.#inForce === undefined || versao === this.#inForce
          ? undefined
          : `${versao} em vigor; foi confirmada ${this.#inForce}`;
      },
    });
  }

  readonly step = async (users: Users): Promise<void> => {
    for (let count = 0; count < VICTIMS_PER_STEP; count++) await this.#include(users);
    await Bun.sleep(this.#random.integer(0, 200));
    this.#turn += 1;
    await this.#activate(users, this.#turn % 2);
  };

  async #include({ demo }: Users): Promise<void> {
    const product = {
      denominacao: `vítima ${this.#victims.length}`,
      modalidade: 'IMPORTACAO',
      ncm: VICTIM_NCM,
    };
    const answer = await demo.call('POST', `/catp/api/ext/produto/${COMPANY}`, product);
    // The second table refuses it: 422 is correct then.
    if (answer === undefined || answer.status === 422) return;
    if (answer.status !== 200) return this.#ledger.problem(`POST produto respondeu ${answerText(answer)}`);
    const { codigo } = answer.body as { codigo: number };
    this.#ledger.recordUnique('produto', String(codigo));
    this.#victims.push(codigo);
    this.#ledger.expect('produto sob tabela', {
      what: `produto ${codigo}`,
      check: async (read) => {
        const stored = await read.demo.call('GET', `/catp/api/ext/produto/${COMPANY}/${codigo}/1`);
        return stored?.status === 200 ? undefined : answerText(stored);
      },
    });
  }

  async #activate({ admin }: Users, which: number): Promise<void> {
    this.#inForce = undefined;
    const table = `${TABLES}/${this.#ids[which]}`;
    const impact = await admin.call('GET', `${table}/impact`);
    const { total: expected = 0 } = (impact?.body ?? {}) as { readonly total?: number };
    const answer = await admin.call('POST', `${table}/activate`, { expected });
    if (answer === undefined || isMiscounted(answer)) return;
    if (answer.status !== 200) return this.#ledger.problem(`activate respondeu ${answerText(answer)}`);
    this.#inForce = String(which + 1);
    this.#ledger.count('ativação de tabela');
  }

  /**
   * Checks that, with the second table in force, every product of its NCM is deactivated and an event named
   * it.
   */
  async verify(users: Users, drained: () => Promise<void>): Promise<void> {
    await this.#activate(users, 1);
    await drained();
    const query = `cpfCnpjRaiz=${COMPANY}&ncm=${VICTIM_NCM}`;
    const answer = await users.demo.call('GET', `/catp/api/ext/produto?${query}`);
    const products = (answer?.body ?? []) as readonly { codigo: number; situacao: string }[];
    for (const { codigo, situacao } of products) {
      if (situacao !== 'DESATIVADO')
        this.#ledger.problem(`produto ${codigo} ficou ${situacao} sob a tabela 2`);
      if (!this.#inbox.named.has(String(codigo)))
        this.#ledger.problem(`produto ${codigo}: nenhum catp-prod-desativado o nomeou`);
    }
    this.#ledger.count('produto desativado pelo sistema', products.length);
  }
}

/** Returns true if products were included between the count of those that would be deactivated and its use. */
const isMiscounted = ({ body }: Answer): boolean =>
  ((body ?? {}) as { readonly detail?: readonly { readonly code: string }[] }).detail?.some(
    ({ code }) => code === 'APPL-ER0451',
  ) ?? false;

function tableOf(versao: string): object {
  const starts = { dataInicioVigencia: '2020-01-01' };
  const pairs = ['Importação', 'Exportação'].map((modalidade) => ({
    codigo: 'ATT_1',
    modalidade,
    obrigatorio: true,
    multivalorado: false,
    ...starts,
  }));
  return {
    versao,
    listaNcm: [
      { codigoNcm: '3926.90.90', listaAtributos: [] },
      { codigoNcm: '8504.40.10', listaAtributos: versao === '2' ? pairs : [] },
    ],
    detalhesAtributos: [
      {
        codigo: 'ATT_1',
        nome: 'Inventado',
        nomeApresentacao: 'Inventado',
        definicao: '',
        orientacaoPreenchimento: '',
        formaPreenchimento: 'TEXTO',
        tamanhoMaximo: 20,
        ...starts,
        dataFimVigencia: '',
        dominio: [],
        objetivos: [{ codigo: 7, descricao: 'Produto' }],
        orgaos: [],
        atributoCondicionante: false,
        condicionados: [],
        listaSubatributos: [],
      },
    ],
  };
}
