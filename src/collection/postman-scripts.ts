/** Scripts that Postman runs before and after each request of the collection. */

/**
 * Authenticates when there is no session, when the user or the server changed, or when the session ends soon.
 */
export const POSTMAN_BEFORE = `
// Entra quando preciso: sem sessão, com outra chave ou outro servidor, ou perto do fim da sessão (60 minutos).
const valor = (nome) => pm.variables.replaceIn('{{' + nome + '}}');
const quem = [valor('baseUrl'), valor('clientId'), valor('roleType')].join(' ');
const idade = Date.now() - Number(pm.collectionVariables.get('sessaoDesde') || 0);
const servePara = pm.collectionVariables.get('sessaoDe') === quem && idade < 55 * 60 * 1000;

// Fica entre os resultados da requisição e no console.
function naoEntrou(motivo) {
  const texto = 'Não foi possível entrar; confira clientId e clientSecret: ' + motivo;
  console.error(texto);
  pm.test(texto, () => pm.expect(false).to.equal(true));
}

if (pm.request.headers.has('Authorization') && !servePara) {
  const faltam = ['baseUrl', 'clientId', 'clientSecret'].filter((nome) => !pm.variables.get(nome));
  if (faltam.length > 0) throw new Error('Preencha nas variáveis da coleção: ' + faltam.join(', ') + '.');
  pm.sendRequest(
    {
      url: valor('baseUrl') + '/portal/api/autenticar/chave-acesso',
      method: 'POST',
      header: {
        'Client-Id': valor('clientId'),
        'Client-Secret': valor('clientSecret'),
        'Role-Type': valor('roleType'),
      },
    },
    (falha, resposta) => {
      if (falha) return naoEntrou('o servidor não respondeu (' + falha + ')');
      if (resposta.code !== 200) return naoEntrou(resposta.json().message);
      pm.collectionVariables.set('sessaoToken', resposta.headers.get('Set-Token'));
      pm.collectionVariables.set('sessaoCsrf', resposta.headers.get('X-CSRF-Token'));
      pm.collectionVariables.set('sessaoDesde', String(Date.now()));
      pm.collectionVariables.set('sessaoDe', quem);
    },
  );
}
`;

/** Stores the renewed token of each answer. A 401 ends the session, so the next request starts another. */
export const POSTMAN_AFTER = `
// Cada resposta traz o X-CSRF-Token da próxima requisição; depois de um 401, a próxima entra de novo.
const renovado = pm.response.headers.get('X-CSRF-Token');
if (pm.request.headers.has('Authorization')) {
  if (renovado) pm.collectionVariables.set('sessaoCsrf', renovado);
  if (pm.response.code === 401) pm.collectionVariables.unset('sessaoDe');
}
`;
