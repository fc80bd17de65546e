/** Serves the administration of the identities of users at a provider (contract section 27). */
import { type Operation, ok, operationsIn } from '../http/operation.ts';
import type { CatalogueRules } from '../validation/company.ts';
import { closedForm, form, text } from '../validation/forms.ts';
import { ONE_LINE, ONE_LINE_DOMAIN } from '../validation/text.ts';
import { accountSchemas } from './account-schemas.ts';
import type { Identities } from './identities.ts';
import type { Caller } from './model.ts';
import { t } from '../validation/type.ts';

const operation = operationsIn({
  tag: 'Administração',
  source: 'contract, section 27',
  access: 'administrator',
  right: 'none',
});
const PATH = '/appliance/api/users/:documento/identities';

const lineOf = (description: string, example: string, maxLength: number) =>
  text(description, example, { minLength: 1, maxLength, pattern: ONE_LINE, 'x-domain': ONE_LINE_DOMAIN });

const members = {
  issuer: lineOf('O emissor, letra por letra como o provedor o envia.', 'https://login.exemplo.com.br', 500),
  sub: lineOf('O identificador da pessoa nesse emissor, letra por letra.', '248289761001', 255),
};
const IdentityRequest = closedForm('IdentityRequest', 'Uma pessoa como um provedor a identifica.', members);
const StoredIdentity = form('Identity', 'Uma identidade ligada a um usuário.', members);

export function identityRoutes(identities: Identities, rules: CatalogueRules): Operation<Caller>[] {
  const params = t.Object({ documento: accountSchemas(rules).Documento });
  return [
    operation('GET', PATH, {
      id: 'listIdentities',
      summary: 'Lista as identidades de um usuário em provedores OpenID Connect',
      params,
      success: t.Array(StoredIdentity),
      handle: ({ params: { documento } }) => ok(identities.list(documento)),
    }),
    operation('POST', PATH, {
      id: 'bindIdentity',
      summary: 'Liga uma identidade de um provedor a um usuário',
      description:
        'Quem entra por essa identidade é esse usuário, qualquer que seja o CPF no claim. Uma identidade de outro usuário é recusada (422).',
      params,
      body: IdentityRequest,
      success: StoredIdentity,
      handle: async ({ params: { documento }, body, caller }) =>
        ok(await identities.bind(documento, body, caller)),
    }),
    operation('DELETE', PATH, {
      id: 'unbindIdentity',
      summary: 'Desliga uma identidade de um usuário',
      description:
        'As sessões que o provedor abriu para o usuário terminam, e um código de entrada que a página ainda não trocou deixa de valer.',
      params,
      body: IdentityRequest,
      otherSuccess: [204],
      handle: ({ params: { documento }, body, caller }) => identities.unbind(documento, body, caller),
    }),
  ];
}
