/** IP addresses and networks. The library's expressions are compiled as it loads, and a start judges no address. */
export const ipaddr = () => require('ipaddr.js') as typeof import('ipaddr.js');
