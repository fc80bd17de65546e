/**
 * Scripts that Bruno runs before and after each request of the collection. The session stays in memory and is
 * never written to a file.
 */

/**
 * Authenticates when there is no session, when the user or the server changed, or when the session ends soon.
 */
export const BRUNO_BEFORE = `
// Entra quando preciso: sem sessão, com outra chave ou outro servidor, ou perto do fim da sessão (60 minutos).
const valor = (nome) => bru.getEnvVar(nome) || '';
const quem = [valor('baseUrl'), valor('clientId'), valor('roleType')].join(' ');
const idade = Date.now() - Number(bru.getVar('sessaoDesde') || 0);
const servePara = bru.getVar('sessaoDe') === quem && idade < 55 * 60 * 1000;

if (req.getHeader('Authorization') !== undefined && !servePara) {
  const faltam = ['baseUrl', 'clientId', 'clientSecret'].filter((nome) => valor(nome) === '');
  if (faltam.length > 0) throw new Error('Escolha o ambiente catp e preencha: ' + faltam.join(', ') + '.');
  let resposta;
  try {
    resposta = await bru.sendRequest({
      url: valor('baseUrl') + '/portal/api/autenticar/chave-acesso',
      method: 'POST',
      headers: {
        'Client-Id': valor('clientId'),
        'Client-Secret': valor('clientSecret'),
        'Role-Type': valor('roleType'),
      },
    });
  } catch (falha) {
    const recusa = falha.response && falha.response.data;
    throw new Error('Não foi possível entrar; confira clientId e clientSecret: ' + ((recusa && recusa.message) || falha.message));
  }
  bru.setVar('sessaoToken', resposta.headers['set-token']);
  bru.setVar('sessaoCsrf', resposta.headers['x-csrf-token']);
  bru.setVar('sessaoDesde', String(Date.now()));
  bru.setVar('sessaoDe', quem);
}
`;

/** Stores the renewed token of each answer. A 401 ends the session, so the next request starts another. */
export const BRUNO_AFTER = `
// Cada resposta traz o X-CSRF-Token da próxima requisição; depois de um 401, a próxima entra de novo.
if (req.getHeader('Authorization') !== undefined) {
  const renovado = res.getHeader('x-csrf-token');
  if (renovado) bru.setVar('sessaoCsrf', renovado);
  if (res.getStatus() === 401) bru.setVar('sessaoDe', '');
}
`;
