/** `/metrics`: every documented metric exists, has the right value, and is used by the dashboard. */
import { afterEach, describe, expect, test } from 'bun:test';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS, MINUTE_MS, TestClock } from '../../src/clock.ts';
import { COMPANY, NOTHING, compare } from '../remote/support.ts';
import { type OpenAppOptions, START, type TestApp, openApp } from '../support/app.ts';
import { ROOT } from '../support/sources.ts';

let server: TestApp;
afterEach(() => server.close());

const open = async (options: OpenAppOptions = {}): Promise<void> => {
  server = await openApp(options);
};
const metrics = async (): Promise<string> => (await server.anybody.call('GET', '/metrics')).text;

/** Returns the value of one sample, by its printed name and labels. */
async function valueOf(sample: string): Promise<number | undefined> {
  const line = (await metrics()).split('\n').find((one) => one.startsWith(`${sample} `));
  return line === undefined ? undefined : Number(line.slice(sample.length + 1));
}

const familiesOf = (text: string): readonly string[] =>
  [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name = '']) => name);

test('requests are counted by operation and status, in buckets', async () => {
  await open();
  const demo = await server.as('demo');
  const path = '/catp/api/ext/produto/12345678/1/1';
  for (const _again of [1, 2, 3]) expect((await demo.call('GET', path)).status).toBe(404);
  const labels = 'operation="getProductVersion",status="404"';
  expect(await valueOf(`catp_http_request_duration_seconds_count{${labels}}`)).toBe(3);
  expect(await valueOf(`catp_http_request_duration_seconds_bucket{le="+Inf",${labels}}`)).toBe(3);
  expect(
    (await metrics()).match(new RegExp(`_bucket\\{le="[\\d.]+",${labels}`, 'g'))?.length,
  ).toBeGreaterThan(8);
});

test('commits are counted with their size and time', async () => {
  await open();
  const demo = await server.as('demo');
  const before = (await valueOf('catp_commit_group_size_sum')) ?? 0;
  const product = { denominacao: 'Parafuso', modalidade: 'AMBOS', ncm: '73181500' };
  expect((await demo.call('POST', '/catp/api/ext/produto/12345678', product)).status).toBe(200);
  expect(await valueOf('catp_commit_group_size_sum')).toBeGreaterThan(before);
  expect(await valueOf('catp_commit_duration_seconds_count')).toBe(
    (await valueOf('catp_commit_group_size_count')) ?? Number.NaN,
  );
  expect(await valueOf('catp_database_bytes')).toBeGreaterThan(0);
  expect(await valueOf('catp_wal_bytes')).toBeGreaterThan(0);
  expect(await valueOf('catp_resident_memory_bytes')).toBeGreaterThan(0);
});

test('pending deliveries are counted, with the delay of the oldest', async () => {
  await open({
    settings: { 'entrega.mapa': 'erp.exemplo:443=127.0.0.1:1', 'entrega.repeticoes': '10m' },
  });
  const [demo, admin] = [await server.as('demo'), await server.as('admin')];
  expect(await valueOf('catp_deliveries_waiting')).toBe(0);
  expect(await valueOf('catp_delivery_oldest_due_seconds')).toBe(0);
  const hook = { evento: 'teste', endpoint: 'https://erp.exemplo/aviso' };
  expect((await demo.call('POST', '/portal/api/ext/webhook', hook)).status).toBe(200);
  const event = { evento: 'teste', destinatarioTipo: 'CPF', destinatarioId: '00000000191', conteudo: {} };
  expect((await admin.call('POST', '/appliance/api/events', event)).status).toBe(200);
  // The delivery is refused once, and is due again in ten minutes.
  while ((await admin.call('GET', '/appliance/api/deliveries')).json[0].attempts.length === 0)
    await Bun.sleep(5);
  expect(await valueOf('catp_deliveries_waiting')).toBe(1);
  expect(await valueOf('catp_delivery_oldest_due_seconds')).toBe(0);
  expect(await metrics()).toMatch(/^catp_delivery_attempts_total\{outcome="\w+"\} 1$/m);
  await server.app.stop();
  server.clock.moveTo(server.clock.now() + 15 * MINUTE_MS);
  expect(await valueOf('catp_delivery_oldest_due_seconds')).toBe(5 * 60);
});

describe('the certificate of the HTTPS listener', () => {
  test('has its number of days left', async () => {
    await open({ parts: { certificateMsLeft: () => 12.5 * DAY_MS } });
    expect(await valueOf('catp_certificate_days_left')).toBe(12.5);
  });

  test('has expired', async () => {
    await open({ parts: { certificateMsLeft: () => -DAY_MS } });
    expect(await valueOf('catp_certificate_days_left')).toBe(-1);
  });

  test('is missing', async () => {
    await open();
    expect(await valueOf('catp_certificate_days_left')).toBeUndefined();
  });
});

describe('each metric', () => {
  test('is on its page of the handbook, and no other is', async () => {
    await open();
    const page = readFileSync(join(ROOT, 'src/docs/pages/acompanhar.md'), 'utf8');
    const documentedFamilies = [...page.matchAll(/^\| `(catp_\w+)`/gm)].map(([, name = '']) => name);
    expect(documentedFamilies.toSorted()).toEqual(familiesOf(await metrics()).toSorted());
  });

  test('is on the dashboard, and the dashboard requests no other', async () => {
    await open();
    const dashboard = JSON.parse(readFileSync(join(ROOT, 'scripts/grafana/catp.json'), 'utf8')) as {
      readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[];
    };
    const text = await metrics();
    const histograms = [...text.matchAll(/^# TYPE (\S+) histogram/gm)].map(([, name = '']) => name);
    const queriedFamilies = dashboard.panels
      .flatMap(({ targets }) => targets)
      .flatMap(({ expr }) => expr.match(/\bcatp_\w+/g) ?? [])
      .map((name) => histograms.find((one) => new RegExp(`^${one}_(bucket|sum|count)$`).test(name)) ?? name);
    expect([...new Set(queriedFamilies)].toSorted()).toEqual(familiesOf(text).toSorted());
  });
});

test('the build is reported in labels', async () => {
  await open();
  expect(await metrics()).toMatch(
    /^catp_build_info\{version="[^"]+",ambiente="validacao",perfil="\w+",schema="\d+"\} 1$/m,
  );
});

test('a job has the moment of its last success and of its last failure; without one, none', async () => {
  await open({ clock: new TestClock(START), settings: { 'backup.horario': '02:30' } });
  const advance = async (period: string): Promise<void> => {
    const admin = await server.as('admin');
    expect((await admin.call('POST', '/appliance/api/clock', { advance: period })).status).toBe(200);
  };
  const SUCCESS = 'catp_job_last_success_timestamp_seconds';
  const FAILURE = 'catp_job_last_failure_timestamp_seconds';
  expect(await valueOf(`${SUCCESS}{job="backup"}`)).toBeUndefined();
  await advance('PT17H31M'); // 02:31 in Brasília
  const night = Date.parse('2026-01-16T02:30:00-03:00') / 1000;
  expect(await valueOf(`${SUCCESS}{job="backup"}`)).toBe(night);
  expect(await valueOf(`${FAILURE}{job="backup"}`)).toBeUndefined();
  rmSync(join(server.folder, 'backups'), { recursive: true });
  await advance('PT30M');
  expect(await valueOf(`${FAILURE}{job="teste-de-restauracao"}`)).toBe(night + 30 * 60);
  expect(await valueOf(`${SUCCESS}{job="teste-de-restauracao"}`)).toBeUndefined();
});

test('open runs of a remote are counted, and those that wait', async () => {
  await open();
  const [demo, admin] = [await server.as('demo'), await server.as('admin')];
  const remote = { name: 'portal', companies: [COMPANY] };
  expect((await admin.call('POST', '/appliance/api/remotes', remote)).status).toBeLessThan(300);
  const UNFINISHED = 'catp_remote_runs_unfinished{remote="portal"}';
  const RESTING = 'catp_remote_runs_resting{remote="portal"}';
  const values = async () => [await valueOf(UNFINISHED), await valueOf(RESTING)];
  expect(await values()).toEqual([0, 0]);
  const { id: comparisonId } = await compare(server, demo, NOTHING);
  const { runStore, store } = server.app.core.remote;
  const order = {
    remoteId: store.find('portal')?.id ?? 0,
    cpfCnpjRaiz: COMPANY,
    comparisonId,
    direction: 'send',
    documento: '1',
    key: null,
    asked: {},
    simulated: false,
  } as const;
  const { writer } = server.app.core;
  const id = await writer.write((tx) => runStore.insert(order, tx.now));
  expect(await values()).toEqual([1, 0]);
  const rest = { until: START, restsFor: 'hora', reason: 'A hora está cheia.' };
  await writer.write(() => {
    runStore.setState(id, 'running', null);
    runStore.setRest(id, rest);
  });
  expect(await values()).toEqual([1, 1]);
  await writer.write((tx) => runStore.end(id, 'done', null, tx.now));
  expect(await values()).toEqual([0, 0]);
});
