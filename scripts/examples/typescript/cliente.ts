import createClient, { type Middleware } from 'openapi-fetch';
import type { components, paths } from './catp';

export interface Chave {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Um cliente que entra quando preciso, renova o X-CSRF-Token a cada resposta e volta a entrar depois de um 401. */
export function clienteDoCatalogo(baseUrl: string, { clientId, clientSecret }: Chave) {
  const catalogo = createClient<paths>({ baseUrl });
  const porta = createClient<paths>({ baseUrl }); // sem sessão: é por ela que se entra
  let sessao: Promise<{ token: string; csrf: string }> | undefined;

  async function entra(): Promise<{ token: string; csrf: string }> {
    const { response, error } = await porta.POST('/portal/api/autenticar/chave-acesso', {
      params: {
        header: { 'Client-Id': clientId, 'Client-Secret': clientSecret, 'Role-Type': 'IMPEXP' },
      },
    });
    if (error !== undefined) throw new Error(`${error.code}: ${error.message}`);
    return {
      token: response.headers.get('Set-Token') ?? '',
      csrf: response.headers.get('X-CSRF-Token') ?? '',
    };
  }

  const comSessao: Middleware = {
    async onRequest({ request }) {
      sessao ??= entra(); // uma só, mesmo com muitas requisições ao mesmo tempo
      try {
        const { token, csrf } = await sessao;
        request.headers.set('Authorization', token);
        request.headers.set('X-CSRF-Token', csrf);
        return request;
      } catch (falha) {
        sessao = undefined;
        throw falha;
      }
    },
    async onResponse({ request, response }) {
      const atual = await sessao;
      if (atual?.token !== request.headers.get('Authorization')) return; // já há outra sessão
      const csrf = response.headers.get('X-CSRF-Token');
      if (response.status === 401)
        sessao = undefined; // a próxima requisição entra de novo
      else if (csrf !== null) atual.csrf = csrf;
    },
  };
  catalogo.use(comSessao);
  return catalogo;
}

/** Uma recusa com todos os seus problemas, um por linha; onde cada um está no corpo, diz path. */
export function recusa({ code, message, detail }: components['schemas']['ErrorBody']): string {
  const problemas = detail.map((um) => `${um.path ?? ''} ${um.message}`);
  return [`${code}:`, ...(problemas.length > 0 ? problemas : [message])].join('\n');
}
