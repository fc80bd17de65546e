/** Describes the profile of an instance to its operators and users (contract section 1). */

/** Address in the handbook. */
export const PROFILE_PAGE = '/ajuda/primeiros-passos#especificacao-ou-portal';

/** Returns one line about the profile. `undefined`: it has the rules of the public service. */
export const profileNote = (perfil: string): string | undefined =>
  perfil === 'especificacao'
    ? `o serviço público recusa parte do que este perfil aceita (denominação acima de 120 caracteres, AMBOS, produto idêntico, nova entrada em 60 s, lotes descontinuados); perfil=portal recusa como ele`
    : undefined;
