/** Serves the possible subdivisions, for an operator form. */
import { type Operation, ok, operation } from '../../http/operation.ts';
import type { Caller } from '../../session/model.ts';
import { subdivisionsOf } from '../country.ts';
import { CountryCode } from '../model.ts';
import { form, text } from '../../validation/forms.ts';
import { t } from '../../validation/type.ts';

const Subdivision = form('Subdivision', 'Um estado, província ou região de um país (ISO 3166-2).', {
  codigo: text('Como vai em codigoSubdivisaoPais.', 'DE-BY'),
  nome: text('O nome, como a ISO 3166-2 o escreve.', 'Bayern'),
});

export const subdivisionRoutes = (): Operation<Caller>[] => [
  operation('GET', '/appliance/api/subdivisions', {
    tag: 'Operadores estrangeiros',
    source: 'contract, section 4',
    id: 'listSubdivisions',
    summary: 'Lista as subdivisões de um país que codigoSubdivisaoPais aceita',
    description: 'Em ordem do nome. De um país sem subdivisões, ou que não existe, a lista é vazia.',
    query: t.Object({ codigoPais: CountryCode }),
    success: t.Array(Subdivision),
    handle: ({ query }) => ok(subdivisionsOf(query.codigoPais)),
  }),
];
