/** Proposals: the changes that one person asks for and another approves. */
import { differencesOf, type MemberText } from '../../catalogue/record.ts';
import type { ItemApplier } from '../../catalogue/batch.ts';
import { operatorMembers } from '../../catalogue/foreign-operator/members.ts';
import { type ImportKind, parseZipInstructions } from '../../catalogue/import/model.ts';
import type { ImportService } from '../../catalogue/import/service.ts';
import { ImportUndo } from '../../catalogue/import/undo.ts';
import { type LinkRequest, linkChange, toLink } from '../../catalogue/manufacturer-link/model.ts';
import type { ChangeService } from '../../catalogue/bulk-change/service.ts';
import { createApprovals } from '../../catalogue/proposal/approvals.ts';
import { createRecordProposals } from '../../catalogue/proposal/record-proposals.ts';
import { createProposalService } from '../../catalogue/proposal/service.ts';
import { ProposalStore } from '../../catalogue/proposal/store.ts';
import type { SheetImports } from '../../catalogue/sheet/imports.ts';
import type { SheetInstructions } from '../../catalogue/sheet/instructions.ts';
import { brakeOfZip } from '../../catalogue/sheet/zipped-sheets.ts';
import { parseVersion } from '../../catalogue/version.ts';
import { actMembers } from '../../catalogue/concession-act/model.ts';
import { situacaoOf } from '../../catalogue/versioned/model.ts';
import type { Idempotency } from '../../idempotency/service.ts';
import { scalarText } from '../../validation/json-number.ts';
import { memberIn } from '../../validation/json-value.ts';
import { dayOf } from '../../validation/calendar.ts';
import type { AppContext } from '../app-context.ts';
import type { Feature } from '../feature.ts';
import type { Catalogue } from './catalogue.ts';
import { importAppliers } from './import.ts';

export interface ProposalParts {
  readonly catalogue: Catalogue;
  readonly imports: ImportService;
  readonly sheets: SheetImports;
  readonly changes: ChangeService;
  readonly idempotency: Idempotency;
  readonly nameOf: (documento: string) => string | undefined;
}

export function openProposal(
  { db, writer, clock, stopwatch, reads }: AppContext,
  { catalogue, imports, sheets, changes, idempotency, nameOf }: ProposalParts,
): Feature {
  const proposals = createProposalService({
    imports,
    approvals: createApprovals({
      imports,
      sheets,
      changes,
      undo: new ImportUndo(imports, reads),
      brakeOf: (pedido) =>
        pedido === null
          ? { checkedItems: 'deactivations', keyColumn: undefined }
          : brakeOfZip(parseZipInstructions<SheetInstructions>(pedido), false),
    }),
    store: new ProposalStore(db),
    events: catalogue.events,
    writer,
    clock,
    nameOf,
  });
  const applierOf = ({ tipo }: { readonly tipo: ImportKind }): ItemApplier => recordApplier(catalogue, tipo);
  const records = createRecordProposals({ imports, proposals, writer, stopwatch, applierOf });
  const find = imports.find.bind(imports);
  return {
    lateOperations: ({ proposalRoutes }) =>
      proposalRoutes({ proposals, records, rules: catalogue.rules, idempotency, reads, find }),
    jobs: [
      {
        name: 'propostas-vencidas',
        about: 'Retira as propostas que ninguém decidiu em 90 dias.',
        pattern: '50 3 * * *',
        atStart: true,
        runOnce: () => proposals.runOnce(),
      },
    ],
  };
}

interface NamedRecord {
  readonly cpfCnpjRaiz: string | undefined;
  readonly codigo: string | undefined;
  readonly versao: string | null | undefined;
}

/** Returns the record that an item names, before its schema is checked, without the blanks around codes. */
const namedIn = (received: unknown): NamedRecord => ({
  cpfCnpjRaiz: textIn(received, 'cpfCnpjRaiz'),
  codigo: textIn(received, 'codigo'),
  versao: textIn(received, 'versao'),
});

function textIn(received: unknown, member: string): string | undefined {
  const value = memberIn(received, member);
  return (typeof value === 'string' ? value : scalarText(value))?.trim();
}

type Members = ReadonlyMap<string, MemberText>;

const NO_MEMBERS: Members = new Map();

/**
 * Returns the applier of a dry run of a file, and of a proposed record. It is the applier of files, and also
 * reports the changes by member.
 */
export function recordApplier(catalogue: Catalogue, tipo: ImportKind): ItemApplier {
  const items = importAppliers(catalogue)[tipo];
  return {
    apply(tx, caller, received, mode, reading) {
      const today = dayOf(tx.now);
      const isVersioned = tipo === 'produto' || tipo === 'operador-estrangeiro';
      const before = isVersioned ? membersOf(catalogue, tipo, namedIn(received), today) : NO_MEMBERS;
      const applied = items.apply(tx, caller, received, mode, reading);
      if (applied.outcome === 'unchanged') return applied;
      if (tipo === 'fabricante') {
        const item = received as LinkRequest & { readonly vincular?: boolean }; // its schema was checked
        return { ...applied, changes: [linkChange(toLink(item), item.vincular !== false)] };
      }
      if (tipo === 'ato-concessorio') {
        const numeroAto = textIn(received, 'numeroAto') ?? '';
        const numeroItem = textIn(received, 'numeroItem') ?? '';
        return { ...applied, changes: differencesOf(NO_MEMBERS, actMembers({ numeroAto, numeroItem })) };
      }
      const { cpfCnpjRaiz } = namedIn(received);
      const { codigo, versao } = applied;
      const after = membersOf(catalogue, tipo, { cpfCnpjRaiz, codigo, versao }, today);
      return { ...applied, changes: differencesOf(before, after) };
    },
  };
}

/** Returns the members of a version, by default of the current one; empty if no such record exists. */
function membersOf(catalogue: Catalogue, tipo: ImportKind, named: NamedRecord, today: string): Members {
  const { cpfCnpjRaiz, codigo, versao } = named;
  if (cpfCnpjRaiz === undefined || codigo === undefined) return NO_MEMBERS;
  const number = typeof versao === 'string' ? parseVersion(versao) : undefined;
  if (tipo === 'produto') {
    const { lookUp, patches } = catalogue.product;
    if (!/^\d{1,10}$/.test(codigo)) return NO_MEMBERS;
    const record = lookUp.find({ cpfCnpjRaiz, codigo: Number(codigo) });
    const version = record && (number === undefined ? record : lookUp.findVersion(record, number));
    return version === undefined ? NO_MEMBERS : patches.membersOf(version, today);
  }
  const { lookUp, store } = catalogue.operator;
  const head = store.findHead(cpfCnpjRaiz, codigo);
  if (head === undefined) return NO_MEMBERS;
  const key = { cpfCnpjRaiz, codigoPais: head.codigoPais, codigo };
  const record = lookUp.find(key);
  const version = record && (number === undefined ? record : lookUp.findVersion(record, number));
  return version === undefined
    ? NO_MEMBERS
    : operatorMembers({ ...version, ...key, situacao: situacaoOf(version) });
}
