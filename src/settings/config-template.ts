/**
 * Writes the catp.toml of `catp init`: every setting with its description, commented out unless it was given.
 */
import type { Setting } from './setting-kinds.ts';
import { SETTINGS } from './settings.ts';

const HEAD = `# Configuração desta instância do catp. Todo comando com --data nesta pasta lê este arquivo.
# Retire o "#" do começo da linha para mudar um valor; o que está comentado é o padrão.
# Uma variável CATP_* vale mais que este arquivo, e a linha de comando vale mais que as duas.
`;

/** `given`: values to put in force, by name. */
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

/** Formats numbers and booleans literally, anything else as a string. */
const tomlOf = (value: string): string =>
  /^(true|false|0|[1-9]\d{0,14})$/.test(value) ? value : JSON.stringify(value);
