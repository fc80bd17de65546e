/** `catp export`: writes the file of an export operation, with or without a running server. */
import { Readable } from 'node:stream';
import { type Command, Option } from 'commander';
import { type ListingRequest, listingChunks } from '../assembly/reading/listings.ts';
import { attributeWords } from '../assembly/reading/attribute-words.ts';
import { operatorTableTexts } from '../catalogue/foreign-operator/table.ts';
import { linkTableTexts } from '../catalogue/manufacturer-link/table.ts';
import { type ProductTableRead, productTableTexts } from '../catalogue/product/table.ts';
import type { Db } from '../db/open.ts';
import { zipOf } from '../files/zip-out.ts';
import { xlsxWith } from '../sheet/packed.ts';
import { compactDateTime, dayOf } from '../validation/calendar.ts';
import { choice, kindWord } from './values.ts';
import { companiesWith } from './known-companies.ts';
import { onFolder } from './folder-command.ts';
import { type OpenFolder, asOfNow } from './open.ts';
import { command } from './command.ts';
import type { FolderFlags } from './options.ts';
import { writeCompleteFile } from './complete-file.ts';

const EXPORT_KINDS = ['produto', 'operador-estrangeiro', 'fabricante'] as const;
type ExportKind = (typeof EXPORT_KINDS)[number];

/** The beginning of the file's name (contract section 7). */
const PREFIXES: Readonly<Record<ExportKind, string>> = {
  produto: 'CATALOGO_PRODUTOS',
  'operador-estrangeiro': 'OPERADORES_ESTRANGEIROS',
  fabricante: 'VINCULOS_FABRICANTES',
};

interface ExportFlags extends FolderFlags {
  readonly empresa: string;
  readonly desativados?: true;
  readonly to?: string;
  readonly xlsx?: string;
}

export function exportCommand(): Command {
  const exporting = command(
    'export',
    'exporta um catálogo em zip ou como planilha, também com o servidor em execução',
  )
    .argument('<tipo>', EXPORT_KINDS.map(kindWord).join(' | '), choice('tipo', EXPORT_KINDS, kindWord))
    .requiredOption('--empresa <cpfCnpjRaiz>', 'empresa')
    .option('--desativados', 'inclui produtos ou operadores desativados')
    .option('--to <arquivo.zip>', 'arquivo a gravar (padrão: o nome que o serviço dá)')
    .addOption(
      new Option(
        '--xlsx <arquivo>',
        'planilha a gravar, em vez do zip; depois de alterada, pode voltar por catp import',
      ).conflicts('to'),
    );
  return onFolder(exporting, exportFile, { readsOnly: true });
}

async function exportFile(
  open: OpenFolder,
  { empresa, desativados, to, xlsx }: ExportFlags,
  kind: ExportKind,
): Promise<void> {
  companiesWith(open, empresa);
  const now = open.clock.now();
  if (xlsx !== undefined) {
    const notes = { table: open.catalogue.attribute.serving.current()?.versao, day: dayOf(now) };
    await asOfNow(open.folder.database, (db) =>
      writeCompleteFile('--xlsx', xlsx, () =>
        xlsxWith(`${kindWord(kind)}-${empresa}`, rowsOf(db, kind, empresa, desativados === true, notes), now),
      ),
    );
    process.stdout.write(`${xlsx}\n`);
    return;
  }
  const name = `${PREFIXES[kind]}_${empresa}_${compactDateTime(now)}`;
  const file = to ?? `${name}.zip`;
  const request = requestOf(kind, empresa, desativados === true);
  await asOfNow(open.folder.database, (db) =>
    writeCompleteFile('--to', file, () => zipOf(name, Readable.from(listingChunks(db, request)), now)),
  );
  process.stdout.write(`${file}\n`);
}

/** Yields the rows of the server's own tables. `notes`: the table of attributes, and the day. */
async function* rowsOf(
  db: Db,
  kind: ExportKind,
  cpfCnpjRaiz: string,
  withDeactivated: boolean,
  notes: Pick<ProductTableRead, 'table' | 'day'>,
): AsyncGenerator<string> {
  const filter = { cpfCnpjRaiz, withoutDeactivated: !withDeactivated };
  const read = {
    filter,
    columns: undefined,
    format: 'xlsx',
    order: { by: 'codigo', isDescending: false },
  } as const;
  switch (kind) {
    case 'produto':
      return yield* productTableTexts(
        db,
        { kind: 'productTable', ...notes, ...read },
        attributeWords(db, notes.table),
      );
    case 'operador-estrangeiro':
      return yield* operatorTableTexts(db, { kind: 'operatorTable', ...read });
    case 'fabricante':
      return yield* linkTableTexts(db, { kind: 'linkTable', ...read });
  }
}

function requestOf(kind: ExportKind, cpfCnpjRaiz: string, withDeactivated: boolean): ListingRequest {
  const form = 'export';
  const filter = { cpfCnpjRaiz, withoutDeactivated: !withDeactivated };
  switch (kind) {
    case 'produto':
      return { kind: 'products', form, filter };
    case 'operador-estrangeiro':
      return { kind: 'operators', form, filter };
    case 'fabricante':
      return { kind: 'links', form, filter: { cpfCnpjRaiz } };
  }
}
