/** The records of administration, for the API and the command line alike (contract section 13). */
import { Type as t } from '@sinclair/typebox';
import { type CatalogueRules, companySchema } from '../catalogue/company.ts';
import { PROFILES, type PartyKind, type Profile } from './model.ts';

const strict = { additionalProperties: false } as const;

const Nome = t.String({ minLength: 1, maxLength: 150 });

export function accountSchemas(rules: CatalogueRules) {
  const cpfCnpjRaiz = companySchema(rules);
  const cnpj = rules.alphanumericCnpj ? '[0-9A-Z]{12}[0-9]{2}' : '[0-9]{14}';
  const Documento = t.String({
    pattern: `^([0-9]{11}|${cnpj})$`,
    'x-domain': 'CPF com 11 ou CNPJ com 14 posições',
    examples: ['00000000191'],
  });
  const Cnpj = t.String({ pattern: `^${cnpj}$`, 'x-domain': 'CNPJ com 14 posições' });
  const Perfil = t.Unsafe<Profile>({ type: 'string', enum: Object.keys(PROFILES) });
  const Company = t.Object({ cpfCnpjRaiz, nome: Nome, cnpj: t.Optional(Cnpj) }, strict);
  const User = t.Object(
    {
      documento: Documento,
      nome: Nome,
      tipo: t.Unsafe<PartyKind>({ type: 'string', enum: ['PRIV', 'PUBL'] }),
      orgao: t.Optional(t.String({ maxLength: 40 })),
      administrador: t.Optional(t.Boolean()),
    },
    strict,
  );
  // As they are answered: every member there, `null` where it is empty.
  const StoredCompany = t.Object({ cpfCnpjRaiz, nome: Nome, cnpj: t.Union([Cnpj, t.Null()]) });
  const StoredUser = t.Object({
    ...t.Required(User).properties,
    orgao: t.Union([t.String(), t.Null()]),
  });
  const Representation = t.Object({ documento: Documento, cpfCnpjRaiz, perfil: Perfil }, strict);
  return { Company, User, StoredCompany, StoredUser, Representation, Documento };
}
