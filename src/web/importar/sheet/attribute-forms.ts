import type { PreparedNcm, Scope } from '../../../catalogue/attribute/check/prepare.ts';
import type { AttributeForm, AttributeForms } from './attributes.ts';

/** The attributes of an NCM, conditioned ones and parts of compounds included, as a sheet needs to know them. */
export const formsOf = ({ scope }: PreparedNcm): AttributeForms =>
  new Map(formsIn(scope, undefined).map((form) => [form.codigo, form]));

function formsIn(scope: Scope, partOf: AttributeForm['partOf']): readonly AttributeForm[] {
  return scope.slots.flatMap(({ attribute, claims }) => {
    const { codigo, detail, subattributes } = attribute;
    const multivalorado = claims.some(({ list }) => list.endsWith('Multivalorados'));
    if (subattributes !== undefined) return formsIn(subattributes, { codigo, multivalorado });
    const { nomeApresentacao, formaPreenchimento, dominio } = detail;
    return {
      ...{ codigo, nomeApresentacao, formaPreenchimento, multivalorado, dominio },
      ...(partOf !== undefined && { partOf }),
    };
  });
}
