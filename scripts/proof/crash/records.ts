/** Steps of the crash proof that write operators, links, concession acts, companies and subscriptions. */
import type { Answer } from '../client.ts';
import type { Random } from '../random.ts';
import { type Ledger, type Users, answerText } from './ledger.ts';
import { COMPANY } from './inbox.ts';
import { COMMON_NCM } from './products.ts';

export interface StepParts {
  readonly name: string;
  readonly ledger: Ledger;
  readonly random: Random;
}

const refused = (ledger: Ledger, what: string, answer: Answer | undefined): void => {
  if (answer !== undefined) ledger.problem(`${what} respondeu ${answerText(answer)}`);
};

const OPERATORS = `/catp/api/ext/operador-estrangeiro/${COMPANY}/DE`;

/** Includes an operator, then creates a version and a rectification of it. */
export function operatorStep({ name, ledger, random }: StepParts): (users: Users) => Promise<void> {
  let created = 0;
  const content = () => ({
    nome: `${name} ${++created}`,
    logradouro: 'Hauptstraße 1',
    nomeCidade: 'Berlin',
    email: random.chance(0.5) ? 'contato@exemplo.invalid' : null,
    identificacoesAdicionais: [],
  });
  const expect = (kind: string, answer: Answer): { codigo: string; versao: string } => {
    const { codigo, versao } = answer.body as { codigo: string; versao: string };
    ledger.recordUnique('versão de operador', `${codigo}/${versao}`);
    ledger.expect(kind, {
      what: `operador ${codigo} versão ${versao}`,
      check: async ({ demo }) => {
        const stored = await demo.call('GET', `${OPERATORS}/${codigo}/${versao}`);
        return stored?.status === 200 && stored.text === answer.text ? undefined : answerText(stored);
      },
    });
    return { codigo, versao };
  };
  return async ({ demo }) => {
    const included = await demo.call('POST', OPERATORS, content());
    if (included?.status !== 200) return refused(ledger, 'POST operador', included);
    const { codigo, versao } = expect('operador: inclusão', included);
    const renewed = await demo.call('PUT', `${OPERATORS}/${codigo}`, content());
    if (renewed?.status !== 200) return refused(ledger, 'PUT operador', renewed);
    expect('operador: nova versão', renewed);
    const rectified = await demo.call('PUT', `${OPERATORS}/${codigo}/${versao}`, content());
    if (rectified?.status !== 200) return refused(ledger, 'PUT operador/versão', rectified);
    expect('operador: retificação', rectified);
  };
}

/**
 * Links its own product to a country, or unlinks it. A later read must return the last acknowledged state.
 */
export function linkStep({ name, ledger }: StepParts): (users: Users) => Promise<void> {
  let created = 0;
  return async ({ demo }) => {
    const product = { denominacao: `${name}-${++created}`, modalidade: 'IMPORTACAO', ncm: COMMON_NCM };
    const included = await demo.call('POST', `/catp/api/ext/produto/${COMPANY}`, product);
    if (included?.status !== 200) return refused(ledger, 'POST produto', included);
    const { codigo } = included.body as { codigo: number };
    ledger.recordUnique('produto', String(codigo));
    const link = { codigoProduto: codigo, conhecido: false, codigoPais: 'CN' };

    const state: { linked: boolean | undefined } = { linked: undefined };
    const linked = await demo.call('POST', `/catp/api/ext/fabricante/${COMPANY}`, link);
    if (linked?.status !== 200) return refused(ledger, 'POST fabricante', linked);
    state.linked = true;
    ledger.expect('vínculo', {
      what: `vínculo do produto ${codigo}`,
      check: async (read) => {
        const query = `cpfCnpjRaiz=${COMPANY}&codigo=${codigo}&paisOrigem=CN`;
        const stored = await read.demo.call('GET', `/catp/api/ext/produto?${query}`);
        const expected = state.linked === true ? 200 : 204;
        return state.linked === undefined || stored?.status === expected
          ? undefined
          : `esperado ${expected}; ${answerText(stored)}`;
      },
    });

    const act = { codigoProduto: codigo, cpfCnpjRaiz: COMPANY, numeroAto: '20260000000001', numeroItem: '1' };
    const actResponse = await demo.call('POST', '/catp/api/ext/regime-especial', [{ seq: 1, ...act }]);
    if (actResponse?.status !== 200) return refused(ledger, 'POST regime-especial', actResponse);
    ledger.expect('ato concessório', {
      what: `ato concessório do produto ${codigo}`,
      check: async (read) => {
        const query = `cpfCnpjRaiz=${COMPANY}&codigoProduto=${codigo}`;
        const stored = await read.demo.call('GET', `/appliance/api/concession-acts?${query}`);
        return stored?.status === 200 && stored.text.includes(act.numeroAto) ? undefined : answerText(stored);
      },
    });

    if (created % 2 === 0) return;
    state.linked = undefined;
    const unlinked = await demo.call('PUT', `/catp/api/ext/fabricante/${COMPANY}`, link);
    if (unlinked?.status !== 200) return refused(ledger, 'PUT fabricante', unlinked);
    state.linked = false;
    ledger.count('desvinculação');
  };
}

const WEBHOOK = '/portal/api/ext/webhook';

/** Subscribes to its own event, changes the subscription, and deletes every other one. */
export function subscriptionStep({ name, ledger, random }: StepParts): (users: Users) => Promise<void> {
  let created = 0;
  return async ({ demo2 }) => {
    const before = ledger.latest('assinatura');
    const wanted = {
      evento: `${name}-${++created}`,
      endpoint: 'https://ninguem.prova/a',
      chaveSecreta: 'segredo',
    };
    const subscribed = await demo2.call('POST', WEBHOOK, wanted);
    if (subscribed?.status !== 200) return refused(ledger, 'POST webhook', subscribed);
    const { id } = subscribed.body as { id: number };
    ledger.recordRising('assinatura', id, before);
    const state: { endpoint: string | undefined; isDeleted: boolean | undefined } = {
      endpoint: wanted.endpoint,
      isDeleted: false,
    };
    ledger.expect('assinatura', {
      what: `assinatura ${id}`,
      check: async (read) => {
        const list = await subscriptionsOf(read);
        const stored = list?.get(id);
        if (stored === undefined) return 'não está na lista';
        const isAsAcknowledged =
          stored.evento === wanted.evento &&
          stored.chaveSecreta === wanted.chaveSecreta &&
          (state.endpoint === undefined || stored.endpoint === state.endpoint) &&
          (state.isDeleted === undefined || (stored.dataExclusao !== null) === state.isDeleted);
        return isAsAcknowledged
          ? undefined
          : `está ${JSON.stringify(stored)}; confirmado ${JSON.stringify(state)}`;
      },
    });

    state.endpoint = undefined;
    const endpoint = `https://ninguem.prova/${random.integer(1, 1_000_000)}`;
    const changed = await demo2.call('PUT', `${WEBHOOK}/${id}`, { id, evento: wanted.evento, endpoint });
    if (changed?.status !== 200) return refused(ledger, 'PUT webhook', changed);
    state.endpoint = endpoint;
    ledger.count('assinatura: alteração');

    if (created % 2 === 0) return;
    state.isDeleted = undefined;
    const deleted = await demo2.call('DELETE', `${WEBHOOK}/${id}`);
    if (deleted?.status !== 204) return refused(ledger, 'DELETE webhook', deleted);
    state.isDeleted = true;
    ledger.count('assinatura: exclusão');
  };
}

interface Listed {
  readonly id: number;
  readonly evento: string;
  readonly endpoint: string;
  readonly chaveSecreta: string | null;
  readonly dataExclusao: string | null;
}

/** Cached per signed-in user: the list grows with every round, and every claim reads it. */
const lists = new WeakMap<Users, Promise<Map<number, Listed> | undefined>>();

function subscriptionsOf(users: Users): Promise<Map<number, Listed> | undefined> {
  const cachedList = lists.get(users) ?? readSubscriptions(users);
  lists.set(users, cachedList);
  return cachedList;
}

async function readSubscriptions({ demo2 }: Users): Promise<Map<number, Listed> | undefined> {
  const answer = await demo2.call('GET', `${WEBHOOK}?exibirInativos=true`);
  if (answer?.status !== 200) return undefined;
  return new Map((answer.body as Listed[]).map((one) => [one.id, one]));
}

/** Adds companies, which the list of all companies must then show. */
export function companyStep({ ledger }: StepParts): (users: Users) => Promise<void> {
  let created = 20_000_000;
  return async ({ admin }) => {
    const company = { cpfCnpjRaiz: String(++created), nome: `Empresa inventada ${created}` };
    const added = await admin.call('POST', '/appliance/api/companies', company);
    if (added?.status !== 200) return refused(ledger, 'POST companies', added);
    ledger.expect('empresa', {
      what: `empresa ${company.cpfCnpjRaiz}`,
      check: async (read) => {
        const text = await companiesOf(read);
        return text?.includes(`"${company.cpfCnpjRaiz}"`) === true ? undefined : 'não está na lista';
      },
    });
  };
}

const companies = new WeakMap<Users, Promise<string | undefined>>();

function companiesOf(users: Users): Promise<string | undefined> {
  const cachedText =
    companies.get(users) ??
    users.admin.call('GET', '/appliance/api/companies').then((answer) => answer?.text);
  companies.set(users, cachedText);
  return cachedText;
}
