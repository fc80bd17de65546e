import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Api } from '../api.ts';
import { Notice, words } from '../ui.tsx';

/** The domain of Role-Type, contract section 2. */
const ROLE_TYPES = [
  'IMPEXP',
  'DEPOSIT',
  'OPERPORT',
  'TRANSPORT',
  'TRANSPEST',
  'AGECARGA',
  'AGEREMESS',
  'AJUDESPAC',
  'INSTFINANC',
  'CONTATOOEA',
  'RESPLEGAL',
  'HABILITAD',
  'TERCEIROS',
] as const;

export function SignIn({
  api,
  onEnter,
}: {
  readonly api: Api;
  readonly onEnter: () => Promise<void>;
}): JSX.Element {
  const [fault, setFault] = useState('');
  const [busy, setBusy] = useState(false);

  const submit = async (form: HTMLFormElement): Promise<void> => {
    const field = (name: string): string => {
      const value = new FormData(form).get(name);
      return typeof value === 'string' ? value : '';
    };
    setBusy(true);
    setFault('');
    try {
      await api.signIn(field('clientId').trim(), field('clientSecret'), field('roleType'));
      await onEnter();
    } catch (refusal) {
      setFault(words(refusal));
      setBusy(false);
    }
  };

  return (
    <form
      class="card sign-in"
      aria-labelledby="sign-in-title"
      onSubmit={(event) => {
        event.preventDefault();
        void submit(event.currentTarget);
      }}
    >
      <h2 id="sign-in-title">Entrar com chave de acesso</h2>
      <label>
        <span>Client-Id</span>
        <input name="clientId" required autocomplete="username" spellcheck={false} autocapitalize="none" />
      </label>
      <label>
        <span>Client-Secret</span>
        <input name="clientSecret" type="password" required autocomplete="current-password" />
      </label>
      <label>
        <span>Perfil (Role-Type)</span>
        <select name="roleType">
          {ROLE_TYPES.map((role) => (
            <option key={role}>{role}</option>
          ))}
        </select>
      </label>
      {fault !== '' && <Notice tone="bad">{fault}</Notice>}
      <button class="primary" disabled={busy}>
        {busy ? 'Entrando…' : 'Entrar'}
      </button>
      <p class="muted">
        Na instância de desenvolvimento (<code>catp dev</code>) use <code>demo</code> e <code>demo</code>. Em{' '}
        <code>catp serve</code>, quem administra a instância cria chaves com <code>catp key add</code>.
      </p>
    </form>
  );
}
