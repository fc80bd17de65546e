/** Reads and sets the access lists of Windows files and folders. */
import { type Pointer, dlopen, ptr } from 'bun:ffi';
import { listFor, listOfReaders } from './access-list.ts';
import { addressIn, addressBuffer, textAt, utf16Of } from './memory.ts';

const SE_FILE_OBJECT = 1;
/** Bits of `SECURITY_INFORMATION`: the owner, the access list (DACL), a DACL without inherited entries. */
const OWNER_INFORMATION = 0x1;
const DACL_INFORMATION = 0x4;
const PROTECTED_DACL_INFORMATION = 0x8000_0000;
const SDDL_REVISION = 1;
const TOKEN_QUERY = 0x8;
const TOKEN_USER = 1;
const TOKEN_USER_BYTES = 256;

const loadSecurityApi = () =>
  dlopen('advapi32.dll', {
    GetNamedSecurityInfoW: {
      args: ['ptr', 'u32', 'u32', 'ptr', 'ptr', 'ptr', 'ptr', 'ptr'],
      returns: 'u32',
    },
    SetNamedSecurityInfoW: { args: ['ptr', 'u32', 'u32', 'ptr', 'ptr', 'ptr', 'ptr'], returns: 'u32' },
    ConvertStringSecurityDescriptorToSecurityDescriptorW: {
      args: ['ptr', 'u32', 'ptr', 'ptr'],
      returns: 'i32',
    },
    ConvertSecurityDescriptorToStringSecurityDescriptorW: {
      args: ['ptr', 'u32', 'u32', 'ptr', 'ptr'],
      returns: 'i32',
    },
    GetSecurityDescriptorDacl: { args: ['ptr', 'ptr', 'ptr', 'ptr'], returns: 'i32' },
    OpenProcessToken: { args: ['ptr', 'u32', 'ptr'], returns: 'i32' },
    GetTokenInformation: { args: ['ptr', 'u32', 'ptr', 'u32', 'ptr'], returns: 'i32' },
    ConvertSidToStringSidW: { args: ['ptr', 'ptr'], returns: 'i32' },
  }).symbols;
const loadKernelApi = () =>
  dlopen('kernel32.dll', {
    LocalFree: { args: ['ptr'], returns: 'ptr' },
    GetCurrentProcess: { args: [], returns: 'ptr' },
    CloseHandle: { args: ['ptr'], returns: 'i32' },
  }).symbols;

/** Returns the owner and the access list of a file or folder as SDDL. Throws the Windows error. */
export function accessOf(path: string): string {
  const securityApi = loadSecurityApi();
  const descriptor = addressBuffer();
  const code = securityApi.GetNamedSecurityInfoW(
    ptr(utf16Of(path)),
    SE_FILE_OBJECT,
    OWNER_INFORMATION + DACL_INFORMATION,
    null,
    null,
    null,
    null,
    ptr(descriptor),
  );
  if (code !== 0) throw windowsError('GetNamedSecurityInfoW', code, path);
  try {
    const text = addressBuffer();
    securityApi.ConvertSecurityDescriptorToStringSecurityDescriptorW(
      addressIn(descriptor),
      SDDL_REVISION,
      OWNER_INFORMATION + DACL_INFORMATION,
      ptr(text),
      null,
    );
    return takeText(addressIn(text), path);
  } finally {
    loadKernelApi().LocalFree(addressIn(descriptor));
  }
}

/**
 * Gives full access to a folder and its content to these accounts, the system and the administrators, and to
 * nobody else. Throws the Windows error.
 */
export const restrictTo = (path: string, sids: readonly string[]): void => setAccessList(path, listFor(sids));

/**
 * Lets these accounts read a file. The system and the administrators keep full access, nobody else has access.
 * Throws the Windows error.
 */
export const allowRead = (path: string, sids: readonly string[]): void =>
  setAccessList(path, listOfReaders(sids));

function setAccessList(path: string, sddl: string): void {
  const securityApi = loadSecurityApi();
  const descriptor = addressBuffer();
  securityApi.ConvertStringSecurityDescriptorToSecurityDescriptorW(
    ptr(utf16Of(sddl)),
    SDDL_REVISION,
    ptr(descriptor),
    null,
  );
  const [isPresent, list, isDefault] = [new Int32Array(1), addressBuffer(), new Int32Array(1)];
  securityApi.GetSecurityDescriptorDacl(addressIn(descriptor), ptr(isPresent), ptr(list), ptr(isDefault));
  const code = securityApi.SetNamedSecurityInfoW(
    ptr(utf16Of(path)),
    SE_FILE_OBJECT,
    DACL_INFORMATION + PROTECTED_DACL_INFORMATION,
    null,
    null,
    addressIn(list),
    null,
  );
  loadKernelApi().LocalFree(addressIn(descriptor));
  if (code !== 0) throw windowsError('SetNamedSecurityInfoW', code, path);
}

/** Returns the SID of the account that runs this process. */
export function ownSid(): string {
  const [securityApi, kernelApi] = [loadSecurityApi(), loadKernelApi()];
  const token = addressBuffer();
  securityApi.OpenProcessToken(kernelApi.GetCurrentProcess(), TOKEN_QUERY, ptr(token));
  const user = new BigUint64Array(TOKEN_USER_BYTES / BigUint64Array.BYTES_PER_ELEMENT);
  const neededBytes = new Uint32Array(1);
  securityApi.GetTokenInformation(
    addressIn(token),
    TOKEN_USER,
    ptr(user),
    TOKEN_USER_BYTES,
    ptr(neededBytes),
  );
  kernelApi.CloseHandle(addressIn(token));
  const text = addressBuffer();
  securityApi.ConvertSidToStringSidW(addressIn(user), ptr(text));
  return takeText(addressIn(text), 'token');
}

/** Reads a text that Windows allocated, and frees it. */
function takeText(text: Pointer | null, path: string): string {
  if (text === null) throw windowsError('ConvertToString', 0, path);
  const copy = textAt(text);
  loadKernelApi().LocalFree(text);
  return copy;
}

const ACCESS_DENIED = 5;

/** Builds an error in the form of the runtime's system errors. */
const windowsError = (syscall: string, code: number, path: string): Error =>
  Object.assign(new Error(`${syscall}: ${code}`), {
    code: code === ACCESS_DENIED ? 'EACCES' : 'EIO',
    syscall,
    path,
  });
