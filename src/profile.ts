/** What whoever starts an instance, or looks at it, is told of its profile (contract section 1). */

/** In the pages of help. */
export const PROFILE_PAGE = '/ajuda/primeiros-passos#especificacao-ou-portal';

/** One line; `undefined` where the profile has the rules of the public service. */
export const profileNote = (perfil: string): string | undefined =>
  perfil === 'especificacao'
    ? `o serviço público recusa parte do que este perfil aceita (denominação acima de 120 caracteres, AMBOS, produto idêntico, nova entrada em 60 s, lotes descontinuados); perfil=portal recusa como ele`
    : undefined;
