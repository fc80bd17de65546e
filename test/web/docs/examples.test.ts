/**
 * The examples of the reference are sent unchanged, on the demo data: as a representative, else as an
 * administrator.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { valuesOfFirstRow, recordPathOf } from '../../../src/web/docs/example-values.ts';
import { initialValues, requestOf } from '../../../src/web/docs/request.ts';
import {
  entriesOf,
  type Document,
  type ListedOperation,
} from '../../../src/web/serving/reference/document.ts';
import { trialOf } from '../../../src/web/serving/reference/trial.ts';
import { type Client, type TestApp, openApp } from '../../support/app.ts';

const COMPANY = '12345678';

let server: TestApp;
let document: Document;
let users: readonly Client[];
beforeAll(async () => {
  server = await openApp({ demo: true });
  document = (await server.anybody.call('GET', '/openapi.json')).json as Document;
  users = [await server.as('demo'), await server.as('admin')];
});
afterAll(() => server.close());

async function statusOf(entry: ListedOperation, user: Client): Promise<number> {
  const trial = trialOf(document, entry);
  const { source } = trial;
  const query = source?.isOfCompany === true ? `&cpfCnpjRaiz=${COMPANY}` : '';
  const rows = source && (await user.call('GET', `${source.path}?limit=1${query}`));
  const own = source === undefined || rows?.status !== 200 ? {} : valuesOfFirstRow(source, rows.json);
  const values = { cpfCnpjRaiz: COMPANY, ...own };
  const path = recordPathOf(trial, values);
  const record = path === undefined ? undefined : (await user.call('GET', path)).json;
  const { method, address, headers, body } = requestOf(trial, initialValues(trial, values, record));
  const text = body.kind === 'json' ? body.text : undefined;
  const json = { 'content-type': 'application/json', ...Object.fromEntries(headers) };
  return (await user.call(method, address, text, json)).status;
}

/**
 * Operations whose record does not exist yet, an endless stream, and a certificate that the test does not
 * have.
 */
const NOT_THERE = [
  'getImport',
  'listImportResults',
  'downloadImportErrors',
  'downloadImportResultsCsv',
  'downloadImportResultsXlsx',
  'listImportReasons',
  'followRequests',
  'getDelivery',
  'getSheet',
  'downloadFailedRows',
  ...['getRemote', 'getComparison', 'downloadRemoteFiles'],
  ...['listComparedRecords', 'downloadComparedRecordsCsv', 'downloadComparedRecordsXlsx'],
  ...['getRun', 'listRunSteps'],
  'authenticateByGet',
];

describe('the examples', () => {
  test.each([
    ...['includeProduct', 'newProductVersion', 'rectifyProduct', 'batchProducts', 'includeForeignOperator'],
    ...['newForeignOperatorVersion', 'rectifyForeignOperator', 'batchForeignOperators', 'linkManufacturer'],
    ...[
      'unlinkManufacturer',
      'includeConcessionActs',
      'deactivateProduct',
      'subscribe',
      'changeSubscription',
    ],
    ...['unsubscribe'],
  ])('of %s is accepted', async (id) => {
    const entry = entriesOf(document).find((one) => one.id === id);
    if (entry === undefined) throw new Error(`no operation ${id}`);
    expect(await statusOf(entry, users[0] as Client)).toBeLessThan(300);
  });

  test('of every request are answered, once the record exists', async () => {
    const wrong: string[] = [];
    for (const entry of entriesOf(document)) {
      if (entry.method !== 'GET' || NOT_THERE.includes(entry.id)) continue;
      const statuses: number[] = [];
      for (const user of users) statuses.push(await statusOf(entry, user));
      if (!statuses.some((status) => status < 300)) wrong.push(`${entry.id} ${statuses.join(' ')}`);
    }
    expect(wrong).toEqual([]);
  });
});
