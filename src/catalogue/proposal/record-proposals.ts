/**
 * Proposes the change of one record (contract section 27): judges it as the operation itself would, and keeps
 * it as a dry run of one item.
 */
import type { Unit, Writer } from '../../db/writer.ts';
import { DomainError, malformed } from '../../errors.ts';
import type { AlsoWrite } from '../../idempotency/service.ts';
import { asApprover, requireRight } from '../../session/guard.ts';
import type { Caller } from '../../session/model.ts';
import { fieldProblem } from '../../validation/decoding.ts';
import type { AppliedItem, ItemApplier } from '../batch.ts';
import type { ImportKind, ImportRequest } from '../import/model.ts';
import type { ImportService } from '../import/service.ts';
import { applySlice } from '../import/slice.ts';
import { nothingToApprove } from './proposable.ts';
import { type RecordOperation, type RecordProposal, TIPO_OF } from './model.ts';
import type { ProposalService } from './service.ts';

export type RecordProposals = ReturnType<typeof createRecordProposals>;

export function createRecordProposals({
  imports,
  proposals,
  writer,
  stopwatch,
  applierOf,
}: {
  readonly imports: ImportService;
  readonly proposals: ProposalService;
  readonly writer: Writer;
  readonly stopwatch: () => number;
  readonly applierOf: (job: { readonly tipo: ImportKind; readonly pedido: string }) => ItemApplier;
}) {
  /** Returns the id of the import. Throws 400, 403, 404, 422. */
  async function propose(caller: Caller, proposal: RecordProposal, alsoWrite?: AlsoWrite): Promise<number> {
    const { cpfCnpjRaiz, note } = proposal;
    requireRight(caller, cpfCnpjRaiz, 'preenchimento');
    const record = itemOf(proposal);
    const pedido = JSON.stringify({ record });
    const request: ImportRequest = {
      kind: 'registro',
      tipo: TIPO_OF[proposal.kind],
      modo: 'lote',
      simular: true,
      fileName: nameOf(proposal),
      storedFile: '',
      sha256: new Bun.CryptoHasher('sha256').update(pedido).digest('hex'),
      pedido,
      company: cpfCnpjRaiz,
    };
    return writer.write((unit) => {
      const result = judge(unit, caller, request, record);
      const id = imports.insertJudged(unit, caller, request, result);
      proposals.proposeIn(unit, caller, { ...imports.find(caller, id), company: cpfCnpjRaiz }, note);
      alsoWrite?.(unit, id);
      return id;
    });
  }

  /** Returns the result that the item would have; writes nothing. Throws the refusal of the operation. */
  function judge(unit: Unit, caller: Caller, { tipo, fileName, pedido }: ImportRequest, record: object) {
    const applier = applierOf({ tipo, pedido: pedido ?? '' });
    const approver = asApprover(caller);
    const silentUnit: Unit = { ...unit, record: () => undefined };
    const refuse = (applied: AppliedItem): AppliedItem => {
      if (applied.outcome === 'unchanged') throw nothingToApprove();
      return applied;
    };
    try {
      unit.part(() => refuse(applier.apply(silentUnit, approver, record, 'lote', { origin: 'file' })), false);
    } catch (error) {
      throw error instanceof DomainError ? inContent(error) : error;
    }
    const item = { index: 0, value: record, file: undefined, line: 1, member: 0 };
    const options = { applier, caller: approver, mode: 'lote', dryRun: true, kind: tipo, fileName } as const;
    const [result] = applySlice(stopwatch, silentUnit, [item], {
      ...options,
      keepsAppliedChanges: true,
    });
    if (result === undefined) throw new Error('A slice applies at least one item.');
    return result;
  }

  return { propose };
}

const REQUIRED_MEMBERS: Readonly<Record<RecordOperation, readonly ('codigo' | 'versao' | 'content')[]>> = {
  include: ['content'],
  newVersion: ['codigo', 'content'],
  rectify: ['codigo', 'versao', 'content'],
  deactivate: ['codigo'],
  link: ['content'],
  unlink: ['content'],
};

/** Further members that the operation accepts. */
const OPTIONAL_MEMBERS: Readonly<Partial<Record<RecordOperation, readonly string[]>>> = {
  deactivate: ['versao', 'content'],
};

const HEAD = ['seq', 'cpfCnpjRaiz', 'codigo', 'versao', 'situacao', 'vincular'] as const;

/** Returns the batch item that makes the proposed change. Throws 400. */
function itemOf(proposal: RecordProposal): Readonly<Record<string, unknown>> {
  const { cpfCnpjRaiz, kind, operation, codigo, versao, content = {} } = proposal;
  const isOfLink = operation === 'link' || operation === 'unlink';
  if (isOfLink !== (kind === 'vinculo'))
    throw malformed([
      fieldProblem(
        'operation',
        `recebido ${operation}; de ${kind} aceita ${kind === 'vinculo' ? 'link e unlink' : 'include, newVersion, rectify e deactivate'}.`,
      ),
    ]);
  const required = REQUIRED_MEMBERS[operation];
  const problems = (['codigo', 'versao', 'content'] as const).flatMap((member) => {
    if (required.includes(member) === (proposal[member] !== undefined)) return [];
    if (required.includes(member)) return [fieldProblem(member, `falta; ${operation} precisa dele.`)];
    if (OPTIONAL_MEMBERS[operation]?.includes(member) === true) return [];
    return [fieldProblem(member, `${operation} não o recebe; retire-o.`)];
  });
  const repeated = HEAD.filter((member) => Object.hasOwn(content, member)).map((member) =>
    fieldProblem(
      member,
      'não faz parte do conteúdo; informe-o fora de content, ou retire-o.',
      `/content/${member}`,
    ),
  );
  if (problems.length + repeated.length > 0) throw malformed([...problems, ...repeated]);
  const item = {
    ...content,
    seq: 1,
    cpfCnpjRaiz,
    codigo,
    versao,
    situacao: operation === 'deactivate' ? 'DESATIVADO' : undefined,
    vincular: operation === 'unlink' ? false : undefined,
  };
  return JSON.parse(JSON.stringify(item)) as Readonly<Record<string, unknown>>; // without absent members
}

const KIND_WORDS = { produto: 'Produto', operador: 'Operador', vinculo: 'Vínculo' } as const;
const OPERATION_WORDS: Readonly<Record<RecordOperation, string>> = {
  include: 'inclusão',
  newVersion: 'nova versão',
  rectify: 'retificação',
  deactivate: 'desativação',
  link: 'vinculação',
  unlink: 'desvinculação',
};

/** Returns the name that the proposal has in lists: `Produto 7: nova versão`. */
function nameOf({ kind, operation, codigo, versao, content }: RecordProposal): string {
  const product = content?.['codigoProduto'];
  const code = codigo ?? (typeof product === 'string' || typeof product === 'number' ? `${product}` : '');
  const ofProduct = kind === 'vinculo' ? ' do produto' : '';
  const version = operation === 'rectify' ? ` da versão ${versao ?? ''}` : '';
  return `${KIND_WORDS[kind]}${code === '' ? '' : `${ofProduct} ${code}`}: ${OPERATION_WORDS[operation]}${version}`;
}

/** Returns the refusal with paths of the proposal: the content of the item is below `content` in it. */
function inContent(error: DomainError): DomainError {
  const { kind, message, options } = error;
  const pathInProposal = (path: string | null | undefined): string | null => {
    const [, member = ''] = (path ?? '').split('/');
    const isOfHead = (HEAD as readonly string[]).includes(member);
    return path === null || path === undefined || path === '' || isOfHead
      ? (path ?? null)
      : `/content${path}`;
  };
  return new DomainError(kind, message, {
    ...options,
    ...(options.path !== undefined && { path: pathInProposal(options.path) }),
    problems: error.problems.map((problem) => ({ ...problem, path: pathInProposal(problem.path) })),
  });
}
