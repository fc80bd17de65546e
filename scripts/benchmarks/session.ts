/** Signs in to a development instance. */

export interface Tokens {
  readonly Authorization: string;
  readonly 'X-CSRF-Token': string;
}

/** The secret of a fixed user is its name (contract section 13). */
export async function openAuthenticated(url: string, user: string, secret = user): Promise<Tokens> {
  const answer = await fetch(`${url}/portal/api/autenticar/chave-acesso`, {
    method: 'POST',
    headers: { 'Client-Id': user, 'Client-Secret': secret, 'Role-Type': 'IMPEXP' },
  });
  const { headers } = answer;
  const [jwt, csrf] = [headers.get('set-token'), headers.get('x-csrf-token')];
  if (jwt === null || csrf === null) throw new Error(`${user} was not let in: ${await answer.text()}`);
  return { Authorization: jwt, 'X-CSRF-Token': csrf };
}
