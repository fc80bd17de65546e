/** Opens imports with real appliers over a data folder; they can be stopped and opened again. */
import { openIdempotency } from '../../../src/assembly/features/idempotency.ts';
import { readdirSync, rmSync } from 'node:fs';
import { quickFolder } from '../../support/quick-disk.ts';
import { applierOfInstructions } from '../../../src/assembly/features/bulk-change.ts';
import { type Imports, openImport } from '../../../src/assembly/features/import.ts';
import type { ImportProgress, ImportRequest, ItemResult } from '../../../src/catalogue/import/model.ts';
import { listingChunks } from '../../../src/assembly/reading/listings.ts';
import { TestClock, monotonicMs } from '../../../src/clock.ts';
import { readSettings } from '../../../src/settings/config.ts';
import { type Core, openCore } from '../../../src/assembly/core.ts';
import { addPeople } from '../../../src/demo/people.ts';
import { openFolder } from '../../../src/db/folder.ts';
import type { Caller } from '../../../src/session/model.ts';

export const COMPANY = '12345678';
export const OTHER_COMPANY = '87654321';
export const STRANGERS_COMPANY = '11222333';
const DEMO = '00000000191';
const STRANGER = '00000000353';

const START = Date.parse('2026-01-15T12:00:00Z');
const MAX_BYTES = 1024 * 1024;

export interface OpenImportsOptions {
  readonly folder?: string;
  readonly stopwatch?: () => number;
  readonly maxBytes?: number;
  readonly failuresKept?: string;
}

export interface TestImports extends Omit<Imports, 'stop' | 'close'> {
  readonly core: Core;
  readonly clock: TestClock;
  readonly folder: string;
  readonly demo: Caller;
  readonly stranger: Caller;
  readonly faults: unknown[];
  /** Queues a file with these bytes, or with this value as JSON, and returns the id. */
  queue(content: unknown, request?: Partial<ImportRequest>, caller?: Caller): Promise<number>;
  /** Queues a received file, after its brake. */
  receive(content: unknown, request?: Partial<ImportRequest>, caller?: Caller): Promise<number>;
  /** Queues a file, and waits for the end of its import. */
  run(
    content: unknown,
    request?: Partial<ImportRequest>,
  ): Promise<{ id: number; progress: ImportProgress; results: ItemResult[] }>;
  progress(id: number): ImportProgress;
  results(id: number): ItemResult[];
  /** Returns the names of the files in the folder of imports. */
  files(): string[];
  /** Returns the text of the export of products. */
  products(cpfCnpjRaiz?: string): string;
  /** Stops the imports, and keeps the folder. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

export async function openImports(options: OpenImportsOptions = {}): Promise<TestImports> {
  const path = options.folder ?? quickFolder('catp-import-');
  const folder = openFolder(path);
  const clock = new TestClock(START);
  const commandLine = [['importacao.falhas', options.failuresKept ?? '10000']] as const;
  const settings = readSettings({ environment: {}, commandLine });
  const core = openCore({ folder, settings, clock, stopwatch: monotonicMs });
  if (options.folder === undefined) await addPeople(core);
  const faults: unknown[] = [];
  const imports = openImport(
    {
      ...core,
      stopwatch: options.stopwatch ?? monotonicMs,
      settings: { ...settings, 'importacao.maximo': options.maxBytes ?? MAX_BYTES },
    },
    {
      catalogue: core.catalogue,
      idempotency: openIdempotency(core),
      notify: core.email.notify,
      applierOfInstructions: applierOfInstructions(core.catalogue, (order) =>
        core.remote.fetchApplierOf(order),
      ),
      sheets: () => core.sheets,
      callerOf: (documento, perfil) => core.session.store.findCaller(documento, perfil),
      onFault: (error) => faults.push(error),
    },
  );
  const demo = callerOf(core, DEMO);
  const requestOf = async (
    content: unknown,
    request: Partial<ImportRequest> = {},
  ): Promise<ImportRequest> => {
    const { name, handle } = await imports.upload.folder.create();
    const bytes = content instanceof Uint8Array ? content : JSON.stringify(content);
    await handle.writeFile(bytes);
    await handle.close();
    const whole = {
      kind: 'arquivo',
      tipo: 'produto',
      modo: 'lote',
      simular: false,
      fileName: 'a.json',
      storedFile: name,
      sha256: new Bun.CryptoHasher('sha256').update(bytes).digest('hex'),
      pedido: null,
      company: null,
    } as const;
    return { ...whole, ...request };
  };
  const queue: TestImports['queue'] = async (content, request, caller = demo) =>
    imports.service.start(caller, await requestOf(content, request));
  const progress = (id: number): ImportProgress => imports.service.get(demo, id);
  const results = (id: number): ItemResult[] => [...imports.service.results(demo, id, undefined)];
  const stop = async (): Promise<void> => {
    await imports.runner.stop();
    await core.close();
  };
  return {
    ...imports,
    core,
    clock,
    folder: path,
    demo,
    stranger: callerOf(core, STRANGER),
    faults,
    queue,
    receive: async (content, request, caller = demo) =>
      imports.service.startFile(caller, await requestOf(content, request), {}),
    run: async (content, request) => {
      const id = await queue(content, request);
      await imports.runner.idle();
      return { id, progress: progress(id), results: results(id) };
    },
    progress,
    results,
    files: () => readdirSync(folder.imports),
    products: (cpfCnpjRaiz = COMPANY) =>
      [...listingChunks(core.db, { kind: 'products', form: 'export', filter: { cpfCnpjRaiz } })].join(''),
    stop,
    close: async () => {
      await stop();
      rmSync(path, { recursive: true, force: true });
    },
  };
}

function callerOf(core: Core, documento: string): Caller {
  const caller = core.session.store.findCaller(documento, 'IMPEXP');
  if (caller === undefined) throw new Error(`There is no user ${documento}.`);
  return caller;
}

/** Builds a product as an item of a file. */
export const product = (seq: number, members: object = {}): object => ({
  seq,
  cpfCnpjRaiz: COMPANY,
  denominacao: `Produto ${seq}`,
  descricao: 'Aço inoxidável, M8',
  modalidade: 'IMPORTACAO',
  ncm: '73181500',
  ...members,
});

export const products = (count: number): object[] =>
  Array.from({ length: count }, (_, index) => product(index + 1));

/** Returns a stopwatch that advances by `step` ms at each read: with 5 a slice has one item, with 2.5 two. */
export function steppingStopwatch(
  step: number,
  onRead: (readNumber: number) => void = () => undefined,
): () => number {
  let reads = 0;
  return () => {
    reads += 1;
    onRead(reads);
    return reads * step;
  };
}
