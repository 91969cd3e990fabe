// SPDX-License-Identifier: Apache-2.0
// Security engines: what providers of the JDK register for the algorithms that a program asks for.
package engines;

import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.SecureRandom;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Engines {
	static byte[] digest(String algorithm) throws Exception {
		return MessageDigest.getInstance(algorithm).digest(); // resolved
	}

	public static void main(String[] args) throws Exception {
		digest("SHA-256"); // reached: rta={SHA2$SHA256.<init> SHA2.implDigest} andersen={SHA2$SHA256.<init> SHA2.implDigest} ; edge: rta={Provider$Service.newInstanceOf->SHA2$SHA256.<init>} andersen={Provider$Service.newInstanceOf->SHA2$SHA256.<init>}
		digest("md5"); // reached: rta={MD5.<init> MD5.implCompress} andersen={MD5.<init> MD5.implCompress} ; unreached: rta={MD2.<init> SHA3$SHA256.<init>} andersen={MD2.<init>}
		Cipher c = Cipher.getInstance("AES/CBC/PKCS5Padding"); // resolved; reached: rta={AESCipher$General.<init> AESCipher.engineInit AESCrypt.encryptBlock} andersen={AESCipher$General.<init> AESCipher.engineInit AESCrypt.encryptBlock}
		c.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(new byte[16], "AES")); // unreached: rta={BlowfishCipher.<init>}
		c.doFinal(new byte[5]);
		Mac m = Mac.getInstance("HmacSHA256"); // resolved; reached: rta={HmacCore$HmacSHA256.<init> HmacCore.engineDoFinal} andersen={HmacCore$HmacSHA256.<init> HmacCore.engineDoFinal}
		m.init(new SecretKeySpec(new byte[16], "x"));
		m.doFinal();
		new SecureRandom().nextInt(); // resolved; reached: rta={NativePRNG.<init> DRBG.<init>} andersen={NativePRNG.<init> DRBG.<init>}
		KeyPairGenerator.getInstance("RSA"); // resolved; reached: rta={RSAKeyPairGenerator$Legacy.<init>} andersen={RSAKeyPairGenerator$Legacy.<init>}
		KeyPairGenerator.getInstance("DSA"); // unresolved: reflection
		KeyStore.getInstance(KeyStore.getDefaultType()); // unresolved: reflection/property
		MessageDigest.getInstance(args[0]); // unresolved: reflection/entry
	}
}
