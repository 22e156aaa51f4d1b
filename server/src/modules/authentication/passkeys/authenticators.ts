/**
 * Common authenticators by name, with their AAGUIDs (WebAuthn Level 3 §6.5.1), as their makers publish them: Yubico's
 * list of hardware, Microsoft's list for Entra ID, the FIDO Metadata Service, and the list of providers at
 * github.com/passkeydeveloper/passkey-authenticator-aaguids (7 August 2026).
 */
const AUTHENTICATORS: Readonly<Record<string, readonly string[]>> = {
  'Apple Passwords': [
    'fbfc3007-154e-4ecc-8c0b-6e020557d7bd',
    'dd4ec289-e01d-41c9-bb89-70fa845d4bf2',
  ],
  'Google Password Manager': ['ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4'],
  'Chrome on Mac': ['adce0002-35bc-c60a-648b-0b25f1f05503'],
  'Edge on Mac': ['771b48fd-d3d4-4f74-9232-fc157ab0507a'],
  'Windows Hello': [
    '08987058-cadc-4b81-b6e1-30de50dcbe96',
    '9ddd1817-af5a-4672-a2b9-3e3dd95000a9',
    '6028b017-b1d4-4c02-b4b3-afcdafc96bb2',
  ],
  'Microsoft Authenticator': [
    'de1e552d-db1d-4423-a619-566b625cdc84',
    '90a3ccdf-635c-4729-a248-9b709135078f',
  ],
  'Microsoft Password Manager': ['d3452668-01fd-4c12-926c-83a4204853aa'],
  'Samsung Pass': ['53414d53-554e-4700-0000-000000000000'],
  '1Password': ['bada5566-a7aa-401f-bd96-45619a55120d'],
  Bitwarden: ['d548826e-79b4-db40-a3d8-11116f7e8349'],
  Dashlane: ['531126d6-e717-415c-9320-3d9aa6981239'],
  Enpass: ['f3809540-7f14-49c1-a8b3-8f813b225541'],
  KeePassDX: ['eaecdef2-1c31-5634-8639-f1cbd9c00a08'],
  KeePassXC: ['fdb141b2-5d84-443e-8a35-4698c205a502'],
  Keeper: ['0ea242b4-43c4-4a1b-8b17-dd6d0b6baec6'],
  LastPass: ['b78a0a55-6ef8-d246-a042-ba0f6d55050c'],
  NordPass: ['b84e4048-15dc-4dd0-8640-f4f60813c8af'],
  'Proton Pass': ['50726f74-6f6e-5061-7373-50726f746f6e'],
  'Google Titan Security Key': ['42b4fb4a-2866-43b2-9bf7-6c6669c2e5d3'],
  'YubiKey 5': [
    'cb69481e-8ff7-4039-93ec-0a2729a154a8',
    'ee882879-721c-4913-9775-3dfcce97072a',
    '19083c3d-8383-4b18-bc03-8f1c9ab2fd1b',
    'ff4dac45-ede8-4ec2-aced-cf66103f4335',
  ],
  'YubiKey 5 NFC': [
    'fa2b99dc-9e39-4257-8f92-4a30d23c4118',
    '2fc0579f-8113-47ea-b116-bb5a8db9202a',
    'a25342c0-3cdc-4414-8e46-f4807fca511c',
    'd7781e5d-e353-46aa-afe2-3ca49f13332a',
  ],
  'YubiKey 5Ci': [
    'c5ef55ff-ad9a-4b9f-b580-adebafe026d0',
    'a02167b9-ae71-4ac7-9a07-06432ebb6f1c',
    '24673149-6c86-42e7-98d9-433fb5b73296',
  ],
  'YubiKey 5 FIPS': [
    '73bb0cd4-e502-49b8-9c6f-b59445bf720b',
    'c1f9a0bc-1dd2-404a-b27f-8e29047a43fd',
    '85203421-48f9-4355-9bc8-8a53846e5083',
  ],
  'YubiKey Bio': [
    'd8522d9f-575b-4866-88a9-ba99fa02f35b',
    'dd86a2da-86a0-4cbe-b462-4bd31f57bc6f',
    '7409272d-1ff9-4e10-9fc9-ac0019c124fd',
    '7d1351a6-e097-4852-b8bf-c9ac5c9ce4a3',
    '90636e1f-ef82-43bf-bdcf-5255f139d12f',
    '34744913-4f57-4e6e-a527-e9ec3c4b94e6',
  ],
  'Security Key by Yubico': [
    'f8a011f3-8c0a-4d15-8006-17111f9edc7d',
    'b92c3f9a-c014-4056-887f-140a2501163b',
    '6d44ba9b-f6ec-2e49-b930-0c8fe920cb73',
    '149a2021-8ef6-4133-96b8-81f8d5b7f1f5',
    'a4e9fc6d-4cbe-4758-b8ba-37598bb5bbaa',
    'e77e3c64-05e3-428b-8824-0cbeb04b829d',
    'b7d3f68e-88a6-471e-9ecf-2df26d041ede',
  ],
};

/** The names of authenticators by AAGUID, in lowercase. */
export const AUTHENTICATOR_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries(AUTHENTICATORS).flatMap(([name, ids]) => ids.map((id) => [id, name] as const)),
);

/** The name of a known authenticator. The AAGUID is not attested, so it must be used only for a name. */
export function authenticatorName(aaguid: string): string | undefined {
  return AUTHENTICATOR_NAMES.get(aaguid);
}
