/** The forms of attribute tables on the wire (contract sections 8 and 13). */
import { Type as t } from '@sinclair/typebox';
import { strict, DayText } from '../model.ts';
import type { Modalidade } from './model.ts';

export const TableId = t.Object({
  id: t.Integer({ minimum: 1, description: 'Identificador da tabela, o da lista.', examples: [1] }),
});

export const LoadedTable = t.Object({
  id: t.Integer(),
  versao: t.String(),
  ncms: t.Integer(),
  attributes: t.Integer(),
});

export const ListedTable = t.Object({
  ...LoadedTable.properties,
  loadedAt: t.String({ description: 'yyyy-MM-ddTHH:mm:ss, Brasília.' }),
  inForce: t.Boolean(),
  scheduledOn: t.Array(t.String(), { description: 'Dias futuros em que entra em vigor.' }),
});

export const ActivationRequest = t.Object({ on: t.Optional(DayText) }, strict);
export type ActivationRequest = typeof ActivationRequest.static;

export const ActivationResult = t.Object({
  deactivated: t.Integer({ description: 'Produtos desativados pelo sistema.' }),
  events: t.Integer({ description: 'Eventos catp-prod-desativado publicados.' }),
});

const Changes = (changed: ReturnType<typeof t.Object> | ReturnType<typeof t.String>) =>
  t.Object({ added: t.Array(t.Unknown()), removed: t.Array(t.Unknown()), changed: t.Array(changed) });

export const ImpactResult = t.Object({
  difference: t.Object({
    from: t.Union([t.String(), t.Null()]),
    to: t.String(),
    ncms: Changes(t.String()),
    attributes: Changes(t.Object({ atributo: t.String(), members: t.Array(t.String()) })),
    requiredPairs: Changes(t.Object({ ncm: t.String(), atributo: t.String(), modalidade: t.String() })),
  }),
  invalid: t.Array(
    t.Object({
      cpfCnpjRaiz: t.String(),
      codigo: t.Integer(),
      ncm: t.String(),
      problems: t.Array(
        t.Object({
          code: t.String(),
          message: t.String(),
          field: t.Union([t.String(), t.Null()]),
          path: t.Union([t.String(), t.Null()]),
        }),
      ),
    }),
  ),
  total: t.Integer(),
});

export const ImpactQuery = t.Object({
  on: t.Optional(DayText),
  formato: t.Optional(t.Unsafe<'json' | 'csv'>({ type: 'string', enum: ['json', 'csv'] })),
});

export const NcmParams = t.Object({
  codigoNcm: t.String({
    pattern: '^(?:[0-9]{8}|[0-9]{4}\\.[0-9]{2}\\.[0-9]{2})$',
    'x-domain': '8 dígitos, com pontos (0901.21.00) ou sem (09012100)',
    examples: ['09012100'],
  }),
});

export const NcmQuery = t.Object({
  modalidade: t.Optional(
    t.Unsafe<Modalidade>({ type: 'string', enum: ['AMBOS', 'EXPORTACAO', 'IMPORTACAO'] }),
  ),
});

export const ServedNcm = t.Object({
  versao: t.String(),
  codigoNcm: t.String(),
  listaAtributos: t.Array(t.Unknown()),
  detalhesAtributos: t.Array(t.Unknown()),
});
