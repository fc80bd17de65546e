/**
 * Daily work on a server in addition to single writes: a file, a spreadsheet, a comparison by files, a fetch,
 * a backup. A folder after a takeover or a restore must accept each of them (contract section 16).
 */
import { type Answer, type Client, signIn } from './client.ts';

const COMPANY = '12345678';
const API = '/appliance/api';
const REMOTE = 'prova';
const END_WITHIN_MS = 60_000;
const TURN_MS = 20;
const [OK, CREATED, ACCEPTED] = [200, 201, 202];

interface Task {
  readonly id: number;
}
interface Progress {
  readonly state: string;
  readonly created?: number;
  readonly sent?: number;
}

/** Returns the refused or failed work, in Portuguese. `turn` counts the calls on one folder from 1. */
export async function problemsOfDailyWork(url: string, turn: number): Promise<readonly string[]> {
  const [demo, admin] = await Promise.all([signIn(url, 'demo'), signIn(url, 'admin')]);
  const kinds: readonly (readonly [name: string, work: () => Promise<string | undefined>])[] = [
    ['importação', () => imported(demo, [product(`Arquivo ${turn}`)])],
    ['planilha', () => sheetImported(demo, `Planilha ${turn}`)],
    ['comparação e busca', () => comparedAndFetched(demo, admin, turn)],
    ['cópia de segurança', async () => refusalOf(await admin.call('POST', `${API}/backups`), OK)],
  ];
  const problems: string[] = [];
  for (const [name, work] of kinds) {
    const problem = await work();
    if (problem !== undefined) problems.push(`${name}: ${problem}`);
  }
  return problems;
}

const product = (denominacao: string) => ({
  seq: 1,
  cpfCnpjRaiz: COMPANY,
  denominacao,
  modalidade: 'IMPORTACAO',
  ncm: '39269090',
});

async function imported(client: Client, items: readonly object[]): Promise<string | undefined> {
  const form = new FormData();
  form.set('tipo', 'produto');
  form.set('file', new File([JSON.stringify(items)], 'produtos.json'));
  return createdBy(client, await client.call('POST', `${API}/imports`, form));
}

async function sheetImported(client: Client, denominacao: string): Promise<string | undefined> {
  const form = new FormData();
  const text = `Denominação;Modalidade;NCM\r\n${denominacao};IMPORTACAO;39269090\r\n`;
  form.set('file', new File([text], 'planilha.csv'));
  const path = `${API}/sheets?cpfCnpjRaiz=${COMPANY}&tipo=produto`;
  const upload = await client.call('POST', path, form);
  if (upload?.status !== CREATED) return refusalOf(upload, CREATED);
  const { id: sheet } = upload.body as Task;
  return createdBy(client, await client.call('POST', `${API}/imports`, { sheet }));
}

/** Returns `undefined` when one record was created. */
async function createdBy(client: Client, started: Answer | undefined): Promise<string | undefined> {
  const { problem, progress } = await ended(client, `${API}/imports`, started);
  return problem ?? (progress?.created === 1 ? undefined : `não gravou: ${JSON.stringify(progress)}`);
}

/** Compares with a file that has one more product each time, and fetches that product. */
async function comparedAndFetched(demo: Client, admin: Client, turn: number): Promise<string | undefined> {
  // An administrator may have added it before the takeover.
  await admin.call('POST', `${API}/remotes`, { name: REMOTE, companies: [COMPANY] });
  const remoteProducts = Array.from({ length: turn }, (_, index) => ({
    ...product(`Busca ${index}`),
    codigo: 900_000 + index,
    versao: '1',
    situacao: 'ATIVADO',
  }));
  const form = new FormData();
  form.set('cpfCnpjRaiz', COMPANY);
  for (const [name, records] of Object.entries({ produtos: remoteProducts, operadores: [], vinculos: [] }))
    form.set(name, new File([JSON.stringify(records)], `${name}.json`));
  const started = await demo.call('POST', `${API}/remotes/${REMOTE}/comparisons`, form);
  const compared = await ended(demo, `${API}/comparisons`, started);
  if (compared.id === undefined) return compared.problem;
  const order = { direction: 'fetch', states: ['soLa'] };
  const fetching = await demo.call('POST', `${API}/comparisons/${compared.id}/runs`, order);
  const { problem, progress } = await ended(demo, `${API}/runs`, fetching);
  return problem ?? ((progress?.sent ?? 0) > 0 ? undefined : `não trouxe: ${JSON.stringify(progress)}`);
}

interface Ended {
  readonly id?: number;
  readonly problem?: string | undefined;
  readonly progress?: Progress;
}

/** Waits for the end of a job. */
async function ended(client: Client, path: string, started: Answer | undefined): Promise<Ended> {
  if (started?.status !== ACCEPTED) return { problem: refusalOf(started, ACCEPTED) };
  const { id } = started.body as Task;
  for (const deadline = performance.now() + END_WITHIN_MS; performance.now() < deadline;) {
    const answer = await client.call('GET', `${path}/${id}`);
    const progress = answer?.body as Progress | undefined;
    if (progress?.state === 'done') return { id, progress };
    if (progress === undefined || !['queued', 'running', 'planning', 'sending'].includes(progress.state))
      return { problem: answer?.text ?? 'sem resposta' };
    await Bun.sleep(TURN_MS);
  }
  return { problem: `não terminou em ${END_WITHIN_MS / 1000} s` };
}

const refusalOf = (answer: Answer | undefined, status: number): string | undefined =>
  answer?.status === status
    ? undefined
    : `${answer?.status ?? 'sem resposta'} ${answer?.text.slice(0, 300) ?? ''}`;
