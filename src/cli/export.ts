/** `catp export`: the file of an export operation, while the server runs or without one. */
import { Readable } from 'node:stream';
import type { Command } from 'commander';
import { type ListingRequest, listingChunks } from '../assembly/reading/listings.ts';
import { zipOf } from '../files/zip-out.ts';
import { compactDateTime } from '../validation/calendar.ts';
import { choice } from './values.ts';
import { companiesWith } from './known-companies.ts';
import { type OpenFolder, asOfNow, withFolder } from './open.ts';
import { asOwner } from './owner.ts';
import { type FolderFlags, command, folderFlags } from './options.ts';
import { writeWhole } from './whole-file.ts';

const EXPORT_KINDS = ['produto', 'operador-estrangeiro', 'fabricante'] as const;
type ExportKind = (typeof EXPORT_KINDS)[number];

/** Contract section 7: the beginning of the file's name. */
const PREFIXES: Readonly<Record<ExportKind, string>> = {
  produto: 'CATALOGO_PRODUTOS',
  'operador-estrangeiro': 'OPERADORES_ESTRANGEIROS',
  fabricante: 'VINCULOS_FABRICANTES',
};

interface ExportFlags extends FolderFlags {
  readonly empresa: string;
  readonly desativados?: true;
  readonly to?: string;
}

export function exportCommand(): Command {
  const made = command('export', 'exporta um catálogo em zip, também com o servidor em execução')
    .argument('<tipo>', EXPORT_KINDS.join(' | '), choice('tipo', EXPORT_KINDS))
    .requiredOption('--empresa <cpfCnpjRaiz>', 'empresa')
    .option('--desativados', 'inclui produtos ou operadores desativados')
    .option('--to <arquivo.zip>', 'arquivo a gravar (padrão: o nome que o serviço dá)');
  return asOwner(folderFlags(made)).action((kind: ExportKind, flags: ExportFlags) =>
    withFolder(flags, (open) => exportFile(open, kind, flags)),
  );
}

async function exportFile(
  open: OpenFolder,
  kind: ExportKind,
  { empresa, desativados, to }: ExportFlags,
): Promise<void> {
  companiesWith(open, empresa);
  const now = open.clock.now();
  const name = `${PREFIXES[kind]}_${empresa}_${compactDateTime(now)}`;
  const file = to ?? `${name}.zip`;
  const request = requestOf(kind, empresa, desativados === true);
  await asOfNow(open.folder.database, (db) =>
    writeWhole('--to', file, () => zipOf(name, Readable.from(listingChunks(db, request)), now)),
  );
  process.stdout.write(`${file}\n`);
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
