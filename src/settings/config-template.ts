/** The catp.toml that `catp init` writes: every setting, told and switched off, but for those that were given. */
import type { Setting } from './setting-kinds.ts';
import { SETTINGS } from './settings.ts';

const HEAD = `# Configuração desta instância do catp. Todo comando com --data nesta pasta lê este arquivo.
# Retire o "#" do começo da linha para mudar um valor; o que está comentado é o padrão.
# Uma variável CATP_* vale mais que este arquivo, e a linha de comando vale mais que as duas.
`;

/** `given`: what is to be in force, by name. */
export function configTemplate(given: ReadonlyMap<string, string>): string {
  const entries = Object.entries(SETTINGS).map(([name, setting]) => {
    const { portal } = setting as Setting<unknown>;
    const byProfile = portal === undefined ? '' : ` Com perfil "portal": ${tomlOf(portal)}.`;
    const chosen = given.get(name);
    const line = `${name} = ${tomlOf(chosen ?? setting.default)}`;
    return `# ${setting.about}${byProfile}\n${chosen === undefined ? `# ${line}` : line}\n`;
  });
  return [HEAD, ...entries].join('\n');
}

/** Numbers and switches as they are, anything else as a text. */
const tomlOf = (value: string): string =>
  /^(true|false|0|[1-9]\d{0,14})$/.test(value) ? value : JSON.stringify(value);
