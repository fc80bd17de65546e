/** The promises of the answers that left the server, and the check of a disk image against them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SystemClock } from '../../../src/clock.ts';
import { migrate } from '../../../src/db/migrate.ts';
import { MIGRATIONS } from '../../../src/db/migrations.ts';
import { type Db, openForWriting } from '../../../src/db/open.ts';
import { openFolder } from '../../../src/db/folder.ts';
import { auditProblems } from '../database.ts';
import { type SealedSecrets, SecretSealer } from '../../../src/notification/subscription/secret-sealer.ts';

/**
 * Returns a mark. Every text of the workload carries one, so that an answer shows which write it
 * acknowledges.
 */
export const markOf = (kind: 'produto' | 'operador' | 'assinatura', number: number): string =>
  `pl-${kind}-${number}`;

/** Returns a description that follows from the mark: half a record would be detected. */
export const descriptionOf = (mark: string): string => `${mark} `.repeat(1 + ((mark.length * 7) % 40)).trim();
export const SECRET = 'segredo da prova';

export type Promised =
  | { readonly kind: 'produto' | 'operador' | 'assinatura'; readonly mark: string }
  | { readonly kind: 'evento' | 'importação'; readonly id: number };

/** Returns the acknowledgements of one answer. This check does not count those of a batch. */
export function promisedBy(answer: string): Promised[] {
  if (!/^HTTP\/1\.1 20[02] /.test(answer)) return [];
  const [, mark, kind] = /"(pl-(produto|operador|assinatura)--?\d+)"/.exec(answer) ?? [];
  if (mark !== undefined) return [{ kind: kind as 'produto', mark }];
  const [, event] = /\{"id":(\d+),"deliveries":\d+\}/.exec(answer) ?? [];
  if (event !== undefined) return [{ kind: 'evento', id: Number(event) }];
  const [, job] = /^HTTP\/1\.1 202 [\s\S]*\{"id":(\d+)\}/.exec(answer) ?? [];
  return job === undefined ? [] : [{ kind: 'importação', id: Number(job) }];
}

export interface ImageReport {
  /** The product could not open it, or its structure is broken. */
  readonly broken: readonly string[];
  /** Promises that the image breaks. */
  readonly lost: readonly string[];
}

/** Opens an image as the product does at its start and checks the promises. */
export function checkImage(folder: string, promised: readonly Promised[]): ImageReport {
  try {
    const opened = openFolder(folder);
    const db = openForWriting(opened.database);
    try {
      migrate(db, MIGRATIONS, new SystemClock());
      return {
        broken: [...structureOf(db), ...auditProblems(db, folder)],
        lost: [...lostIn(db, opened.imports, new SecretSealer(opened.keys.secrets), promised)],
      };
    } finally {
      db.close();
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { broken: [`não abre: ${reason}`], lost: promised.length > 0 ? ['tudo'] : [] };
  }
}

function structureOf(db: Db): string[] {
  const integrity = db.pragma('integrity_check', { simple: true });
  const orphans = db.pragma('foreign_key_check') as readonly unknown[];
  const unfound = db
    .prepare<[], number>(
      `SELECT p.id FROM product p, json_each(p.codigos_interno) i WHERE NOT EXISTS (SELECT 1 FROM product_internal_code c
         WHERE c.company_id = p.company_id AND c.codigo_interno = i.value AND c.product_id = p.id)`,
    )
    .pluck()
    .all();
  return [
    ...(integrity === 'ok' ? [] : [`integrity_check: ${String(integrity)}`]),
    ...(orphans.length === 0 ? [] : [`foreign_key_check: ${orphans.length} linhas`]),
    ...unfound.map((id) => `o produto ${id} não é achado por seus códigos internos`),
  ];
}

function* lostIn(
  db: Db,
  imports: string,
  secretSealer: SecretSealer,
  promised: readonly Promised[],
): Generator<string> {
  const products = new Map(
    db
      .prepare<[], [string, string | null]>(
        'SELECT denominacao, descricao FROM product UNION SELECT denominacao, descricao FROM product_version',
      )
      .raw()
      .all(),
  );
  const operators = new Set(
    db
      .prepare<[], string>(
        'SELECT nome FROM foreign_operator UNION SELECT nome FROM foreign_operator_version',
      )
      .pluck()
      .all(),
  );
  const events = new Set(db.prepare<[], number>('SELECT event_id FROM delivery').pluck().all());
  const subscriptions = db.prepare<[string], { readonly id: number } & SealedSecrets>(
    'SELECT id, chave_secreta AS chaveSecreta, chave_autenticacao AS chaveAutenticacao FROM subscription WHERE evento = ?',
  );
  const jobs = db.prepare<[number], { readonly state: string; readonly file: string }>(
    'SELECT state, stored_file AS file FROM import_job WHERE id = ?',
  );
  const isKept = (one: Promised): boolean => {
    switch (one.kind) {
      case 'produto':
        return products.get(one.mark) === descriptionOf(one.mark);
      case 'operador':
        return operators.has(one.mark);
      case 'evento':
        return events.has(one.id);
      case 'assinatura': {
        const subscription = subscriptions.get(one.mark);
        return (
          subscription !== undefined &&
          secretSealer.open(subscription.id, subscription).chaveSecreta === SECRET
        );
      }
      case 'importação': {
        const job = jobs.get(one.id);
        return job !== undefined && (job.state === 'done' || existsSync(join(imports, job.file)));
      }
    }
  };
  for (const one of promised) if (!isKept(one)) yield `${one.kind} ${'mark' in one ? one.mark : one.id}`;
}
