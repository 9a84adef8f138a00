import { describe, expect, test } from 'vitest';
import { reachOfAddress } from '../../../src/auth/addresses.ts';
import { isAllowed, isConfidential } from '../../../src/auth/urls.ts';

const server = new URL('https://mcp.example.com/mcp');

/** The first and last address of each range, and the public addresses next to it. */
const local: readonly (readonly string[])[] = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['169.254.0.0', '169.254.169.254', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.192', '192.0.0.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.31.196.1', '192.52.193.1', '192.88.99.1', '192.175.48.1'],
  ['192.168.0.0', '192.168.255.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '239.255.255.255', '240.0.0.0', '255.255.255.255'],
  ['::', '::2', '::ffff'],
  // compatible, mapped, translated, NAT64, NAT64 of a network, 6to4
  ['::10.0.0.1', '::8.8.8.8', '::ffff:10.0.0.1', '::ffff:0:10.0.0.1'],
  ['64:ff9b::10.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::8.8.8.8', '64:ff9b:1:ffff::1'],
  [
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2002:a00:1::',
    '2002:a9fe:a9fe::1',
    '2002:c0a8:101::1',
    '2002:c612:1::',
  ],
  ['100::1', '5f00::1', '4000::1', '1fff::1', '200::1'],
  [
    '2001::1',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    '2001:2::1',
    '2001:10::1',
    '2001:20::1',
    '2001:1ff:ffff::1',
  ],
  ['2001:db8::', '2001:db8:ffff::1', '3fff::1', '3fff:fff::1', '2620:4f:8000::1'],
  ['fc00::1', 'fd00:ec2::254', 'fdff::1', 'fe80::1', 'febf::1', 'fec0::1', 'ff02::1', 'ff0e::1', 'ffff::1'],
];
const loopback = ['127.0.0.1', '127.255.255.255', '::1', '::ffff:127.0.0.1'];
const open = [
  ...['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255'],
  ...['128.0.0.0', '169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '191.255.255.255'],
  ...['192.0.1.0', '192.0.3.0', '192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0'],
  ...['198.51.99.255', '198.51.101.0', '203.0.112.255', '203.0.114.0', '223.255.255.255'],
  ...['2001:200::1', '2001:4860:4860::8888', '2606:4700::1111', '2620:4f:8001::1', '3ffe::1', '3fff:1000::1'],
  ...['::ffff:8.8.8.8', '64:ff9b::8.8.8.8', '2002:808:808::1'],
];
const urlOf = (address: string) =>
  new URL(`https://${address.includes(':') ? `[${address}]` : address}/token`);

describe('a server on the web', () => {
  test.each(local.flat())('may not name %s', (address) => {
    expect([reachOfAddress(address), isAllowed(urlOf(address), server)]).toEqual(['local', false]);
  });
  test.each(loopback)('may not name this machine as %s', (address) => {
    expect([reachOfAddress(address), isAllowed(urlOf(address), server)]).toEqual(['loopback', false]);
  });
  test.each(open)('may name %s', (address) => {
    expect([reachOfAddress(address), isAllowed(urlOf(address), server)]).toEqual(['public', true]);
  });
  test.each([
    ...[
      '0x7f.1',
      '0177.0.0.1',
      '2130706433',
      '127.1',
      '127.0.0.1.',
      '0x7f000001',
      '017700000001',
      '１２７.0.0.1',
    ],
    ...[
      '10.1',
      '0xa9fea9fe',
      '169.254.43518',
      '0251.0376.0251.0376',
      '3232235777',
      '0xC0.0xA8.1.1',
      '198.1179649',
    ],
    ...['localhost', 'localhost.', 'LOCALHOST', 'a.localhost'],
  ])('may not name %s, in the spelling of the URL parser', (host) => {
    expect(isAllowed(new URL(`https://${host}/token`), server)).toBe(false);
  });
});

test('an address with a zone, and anything but an address, counts as local', () => {
  for (const text of ['fe80::1%eth0', '2606:4700::1111%1', '', 'example.com', '1.2.3'])
    expect([text, reachOfAddress(text)]).toEqual([text, 'local']);
});

test('http is confidential only on loopback, in any of its spellings', () => {
  expect(
    ['127.0.0.1', '[::1]', 'localhost'].map((host) => isConfidential(new URL(`http://${host}/`))),
  ).toEqual([true, true, true]);
  for (const host of ['[64:ff9b::7f00:1]', '[2002:7f00:1::]', '[::7f00:1]'])
    expect([host, isConfidential(new URL(`http://${host}/`))]).toEqual([host, false]);
});

test('a server of a local network may name its neighbours and public hosts', () => {
  const near = new URL('https://10.0.0.7/mcp');
  expect([isAllowed(urlOf('10.0.0.8'), near), isAllowed(urlOf('8.8.8.8'), near)]).toEqual([true, true]);
  expect(isAllowed(urlOf('127.0.0.1'), near)).toBe(false);
});
