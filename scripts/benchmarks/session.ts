/** Signs in to a development instance; its fixed users' secrets are their names (contract section 13). */

export interface Tokens {
  readonly Authorization: string;
  readonly 'X-CSRF-Token': string;
}

export async function openAuthenticated(url: string, user: string): Promise<Tokens> {
  const answer = await fetch(`${url}/portal/api/autenticar/chave-acesso`, {
    method: 'POST',
    headers: { 'Client-Id': user, 'Client-Secret': user, 'Role-Type': 'IMPEXP' },
  });
  const { headers } = answer;
  const [jwt, csrf] = [headers.get('set-token'), headers.get('x-csrf-token')];
  if (jwt === null || csrf === null) throw new Error(`${user} was not let in: ${await answer.text()}`);
  return { Authorization: jwt, 'X-CSRF-Token': csrf };
}
